use base::profile::Profile;

use super::{look, symbols};

#[test]
fn constructors_may_be_signs() {
    let text = "type 'a t = 'a list = [] | (::) of 'a * 'a list\n\
                type u = () | ( :: ) of int\n\
                type v = A | B of { mutable size : int }\n";
    let expected = [
        "type t 1",
        "constructor t.[] 1",
        "constructor t.:: 1",
        "type u 2",
        "constructor u.() 2",
        "constructor u.:: 2",
        "type v 3",
        "constructor v.A 3",
        "constructor v.B 3",
    ];
    for name in ["a.ml", "a.mli"] {
        let found = look(name, text, Profile::Enhancement);
        let names: Vec<String> = symbols(&found);
        let names: Vec<&str> = names.iter().map(|one| one.trim_end_matches(" exported")).collect();
        assert_eq!(names, expected, "{name}");
    }
}
