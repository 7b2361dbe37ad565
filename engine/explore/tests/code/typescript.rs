use base::profile::Profile;
use explore::Visibility;
use serde_json::json;

use super::{fact, imports, look, symbols};

const TEXT: &str = r#"import type { A } from "@scope/a";
import legacy = require("./legacy");
type Lazy = import("./types").T;
@Component({ a: 1 })
export class View<T> extends Base<T> implements One, Two {
  @Input() private readonly size: number = 1;
  protected name?: string;
  constructor(private store: Store) { super(); }
  static async load(id: string): Promise<void> {}
  over(a: string): void;
  over(a: any) {}
  set value(v: number) {}
}
export default abstract class Shape { abstract area(): number; }
export interface Options extends A, Partial<B> { path: string; run?(): void; (x: number): string }
export type Pair<K> = { key: K } | null;
export const enum Color { Red, Green = 2, 'blue' }
declare global { interface Window { app: string } }
export namespace Outer.Inner { export function f(): void {} }
export declare const version: string;
export const Card: React.FC<Props> = async (props) => null;
"#;

#[test]
fn symbols_are_declarations_with_all_their_members() {
    let found = look("a.ts", TEXT, Profile::Enhancement);
    assert_eq!(found.malformed, None);
    assert_eq!(
        symbols(&found),
        [
            "type Lazy 3",
            "class View 5 exported",
            "property View.size 6",
            "property View.name 7",
            "constructor View.constructor 8 exported",
            "method View.load 9 exported",
            "method View.over 10 exported",
            "method View.over 11 exported",
            "setter View.value 12 exported",
            "class Shape 14 exported",
            "method Shape.area 14 exported",
            "interface Options 15 exported",
            "property Options.path 15 exported",
            "method Options.run 15 exported",
            "type Pair 16 exported",
            "property Pair.key 16 exported",
            "enum Color 17 exported",
            "enum_member Color.Red 17 exported",
            "enum_member Color.Green 17 exported",
            "enum_member Color.'blue' 17 exported",
            "namespace global 18",
            "interface global.Window 18",
            "property global.Window.app 18",
            "namespace Outer 19 exported",
            "namespace Outer.Inner 19 exported",
            "function Outer.Inner.f 19 exported",
            "variable version 20 exported",
            "function Card 21 exported",
        ]
    );
    assert_eq!(imports(&found), ["third_party @scope/a", "local ./legacy"]);
    let view = &found.symbols[1];
    assert_eq!((view.decl_line, view.end_line), (4, 13));
    assert_eq!(view.bases, ["Base<T>"]);
    assert_eq!(view.implements, ["One", "Two"]);
    assert_eq!(view.decorators, ["Component({ a: 1 })"]);
    let size = &found.symbols[2];
    assert_eq!(size.visibility, Some(Visibility::Private));
    assert_eq!(size.modifiers, ["private", "readonly"]);
    assert_eq!(found.symbols[3].visibility, Some(Visibility::Protected));
    assert_eq!(found.symbols[12].visibility, None);
    assert_eq!(found.symbols[5].return_type.as_deref(), Some("Promise<void>"));
}

#[test]
fn facts_are_those_of_the_file() {
    let found = look("a.ts", TEXT, Profile::Parity);
    let fact = |name: &str| fact(&found, name).unwrap_or_default();
    assert_eq!(fact("module_type"), "esm");
    assert_eq!(fact("is_react"), false);
    assert_eq!(fact("exports")["default"], "Shape");
    assert_eq!(
        fact("exports")["named"],
        json!(["View", "Options", "Pair", "Color", "Outer.Inner", "version", "Card"])
    );
    assert_eq!(fact("enums")[0]["is_const"], true);
    assert_eq!(fact("classes")[1]["is_abstract"], true);
    for shown in [
        "Format: TypeScript (ESM)",
        "  (exported) class View extends Base<T> implements One, Two",
        "    Methods: load, over, over, value",
        "  (exported) const enum Color { Red, Green, 'blue' }",
        "  default: Shape",
        "  (exported) Pair<T> = { key: K } | null",
    ] {
        assert!(found.summary.contains(shown), "{shown}\n{}", found.summary);
    }
}

#[test]
fn a_file_that_the_grammar_cannot_read_keeps_its_exports() {
    let text = "export const a = 1;\nexport type T<type extends X> =\n  | (type extends 'a' ? B : never)\n";
    let found = look("a.ts", text, Profile::Enhancement);
    assert!(found.malformed.is_some());
    assert!(symbols(&found).contains(&"variable a 1 exported".to_owned()), "{:?}", symbols(&found));
}
