//! Which use is an edge, of which kind, and how it is known.

use super::place::Place;

const SHAPES: &str = "class Shape:
    def area(self):
        return 0


class Square(Shape):
    side = 1

    def __init__(self, side):
        self.side = side

    def area(self):
        return self.double() * self.side

    def double(self):
        return 2


def make() -> Square:
    return Square(1)
";
const MAIN: &str = "from shapes import Square, make as build


def total(sides):
    local = sum(sides)
    return local


def run(things):
    shape = build()
    shape.area()
    things.double()
    things.unheard_of()
    return map(total, [1])


run([])
";

#[test]
fn uses_are_edges_of_their_kind_and_tier() {
    let place = Place::of(&[("shapes.py", SHAPES), ("main.py", MAIN)]);
    let expected = [
        "Square -> Shape extends bound 6",
        "Square.area -> Square.double call bound 13",
        "Square.area -> Square.side reference bound 13",
        "make -> Square reference bound 19",
        "make -> Square new bound 20",
    ];
    assert_eq!(place.edges("shapes.py"), expected);
    let expected = [
        "main.py -> run call bound 17",
        "run -> make call bound 10",
        "run -> Square.area call annotated 11",
        "run -> total callback bound 14",
        "run ?> Square.double",
    ];
    assert_eq!(place.edges("main.py"), expected);
}

#[test]
fn a_name_that_several_symbols_have_is_no_candidate() {
    let twin = "class Twin:\n    def double(self):\n        return 1\n";
    let sources = [("shapes.py", SHAPES), ("main.py", MAIN), ("twin.py", twin)];
    let place = Place::of(&sources);
    assert!(!place.edges("main.py").iter().any(|row| row.contains("?>")));
}

#[test]
fn interfaces_are_implemented_and_types_extended() {
    let types = "export interface Entity { id: string }
export interface Named extends Entity { name: string }
export class Base {}
export class User extends Base implements Named { id = ''; name = ''; }
";
    let place = Place::of(&[("types.ts", types)]);
    let rows = place.edges("types.ts");
    for row in [
        "Named -> Entity extends bound 2",
        "User -> Base extends bound 4",
        "User -> Named implements bound 4",
    ] {
        assert!(rows.contains(&row.to_owned()), "{row}: {rows:?}");
    }
    let rust = "trait Area { fn area(&self) -> u32; }
struct Square { side: u32 }
impl Area for Square {
    fn area(&self) -> u32 { self.side * scale() }
}
fn scale() -> u32 { 2 }
";
    let rows = Place::of(&[("src/lib.rs", rust)]).edges("src/lib.rs");
    for row in [
        "Square -> Area implements bound 3",
        "Square.area -> Square.side reference bound 4",
        "Square.area -> scale call bound 4",
    ] {
        assert!(rows.contains(&row.to_owned()), "{row}: {rows:?}");
    }
}
