use base::profile::Profile;

use super::{look, symbols};

#[test]
fn a_constructor_on_a_line_of_its_own_does_not_hide_the_class() {
    let text = "package a\n\npublic class Detector\n@JvmOverloads\nconstructor(private val \
                least: Int = 1) :\n    Listener {\n  private var count = 0\n\n  fun interface Shaken \
                { fun onShake() }\n\n  fun start() {}\n}\n";
    let found = look("a.kt", text, Profile::Enhancement);
    assert_eq!(found.malformed, None);
    assert_eq!(
        symbols(&found),
        [
            "class Detector 3 exported",
            "property Detector.count 7",
            "interface Detector.Shaken 9 exported",
            "method Detector.Shaken.onShake 9 exported",
            "method Detector.start 11 exported",
        ]
    );
}

#[test]
fn the_body_of_a_class_that_delegates_is_no_lambda() {
    let found = look("a.kt", "class A(b: B) : B by b {\n  fun f() = 1\n}\n", Profile::Parity);
    assert_eq!(symbols(&found), ["class A 1 exported", "method A.f 2 exported"]);
}
