//! Symbols by their names, and what is said if there is none.

use super::place::Place;

const SERVICE: &str = "export class TokenService {
  validateToken(token: string) {
    return token;
  }
}
";
const LEGACY: &str = "export function validateToken() {}\n";

fn place() -> Place {
    Place::of(&[("src/auth/tokenService.ts", SERVICE), ("src/legacy/old.ts", LEGACY)])
}

#[test]
fn names_are_found_in_any_file_in_a_class_and_in_a_file() {
    let place = place();
    let (method, function) = (
        "src/auth/tokenService.ts:2 TokenService.validateToken",
        "src/legacy/old.ts:1 validateToken",
    );
    assert_eq!(place.names("validateToken"), [method, function]);
    assert_eq!(place.names("TokenService > validateToken"), [method]);
    let in_file = "src/auth/tokenService.ts > TokenService > validateToken";
    assert_eq!(place.names(in_file), [method]);
    assert_eq!(place.names("src/legacy/old.ts > validateToken"), [function]);
}

#[test]
fn what_is_missing_is_said_with_what_is_similar() {
    let place = place();
    let said = |query: &str| place.found(query).unwrap_err().to_string();
    assert_eq!(said("nonExistentSymbol"), "No symbol \"nonExistentSymbol\" found.");
    let hint = "No symbol \"tokenservice\" found. Did you mean \"TokenService\" (src/auth/tokenService.ts:1)?";
    assert_eq!(said("tokenservice"), hint);
    let hint = "No file \"tokenService.ts\" found. Similar paths: src/auth/tokenService.ts";
    assert_eq!(said("tokenService.ts > validateToken"), hint);
    assert_eq!(said("src/gone.ts > validateToken"), "No file \"src/gone.ts\" found.");
    let hint = "\"TokenService\" has no \"nonExistent\". It has validateToken.";
    assert_eq!(said("TokenService > nonExistent"), hint);
    assert_eq!(said("NonExistentClass > validateToken"), "No symbol \"NonExistentClass\" found.");
    let hint = "No symbol \"validateTokens\" found in src/legacy/old.ts.";
    assert_eq!(said("src/legacy/old.ts > validateTokens"), hint);
}

#[test]
fn a_method_that_is_written_apart_belongs_to_its_type() {
    let go =
        "package m\n\ntype Purse struct{ sum int }\n\nfunc (p *Purse) Pay() int { return p.sum }\n";
    let rust =
        "struct Purse;\nmod inner {\n    impl super::Purse {\n        fn pay(&self) {}\n    }\n}\n";
    let place = Place::of(&[("m.go", go), ("src/lib.rs", rust)]);
    assert_eq!(place.names("Purse > Pay"), ["m.go:5 Purse.Pay"]);
    assert_eq!(place.names("Purse > pay"), ["src/lib.rs:4 inner.Purse.pay"]);
}

#[test]
fn an_unfinished_question_is_completed() {
    let place = place();
    let complete = |begun: &str| {
        let query = semantic::lookup::SymbolQuery::begun(begun);
        place.walk(|walk| semantic::lookup::complete(walk, &query, &|_| true))
    };
    assert_eq!(complete("val"), ["TokenService > validateToken", "validateToken"]);
    assert_eq!(complete("TokenService > "), ["TokenService > validateToken"]);
    assert_eq!(complete("src/legacy/old.ts > "), ["validateToken"]);
    assert!(complete("x").is_empty());
}
