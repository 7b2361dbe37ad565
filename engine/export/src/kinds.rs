//! Kinds and languages in the words of SCIP.

use protobuf::Enum as _;
use scip::types::{Language, descriptor::Suffix, symbol_information::Kind};

/// The kind of a symbol. `kind` is one as navigation shows it.
pub fn kind(kind: &str) -> Kind {
    match kind {
        "class" => Kind::Class,
        "constant" => Kind::Constant,
        "constructor" => Kind::Constructor,
        "enum" => Kind::Enum,
        "field" => Kind::Field,
        "function" => Kind::Function,
        "interface" => Kind::Interface,
        "macro" => Kind::Macro,
        "method" => Kind::Method,
        "module" => Kind::Module,
        "object" => Kind::Object,
        "parameter" => Kind::Parameter,
        "property" => Kind::Property,
        "struct" => Kind::Struct,
        "trait" => Kind::Trait,
        "type" => Kind::Type,
        "union" => Kind::Union,
        "variable" => Kind::Variable,
        _ => Kind::UnspecifiedKind,
    }
}

/// How the name of a symbol ends, by its kind.
pub fn suffix(kind: &str) -> Suffix {
    match kind {
        "class" | "enum" | "extension" | "interface" | "object" | "struct" | "trait" | "type"
        | "union" => Suffix::Type,
        "constructor" | "function" | "method" => Suffix::Method,
        "macro" => Suffix::Macro,
        "module" => Suffix::Namespace,
        "parameter" => Suffix::Parameter,
        _ => Suffix::Term,
    }
}

/// The name of a language, by its key. A language that SCIP does not know keeps its key.
pub fn language(key: &str) -> String {
    let key = match key {
        "tsx" => "typescriptreact",
        "ocaml_interface" => "ocaml",
        "bash" => "shellscript",
        key => key,
    };
    let plain = |name: &str| name.replace('_', "").to_ascii_lowercase();
    let known = Language::VALUES.iter().map(|value| format!("{value:?}"));
    known.into_iter().find(|name| plain(name) == plain(key)).unwrap_or_else(|| key.to_owned())
}

#[cfg(test)]
mod tests {
    use super::language;

    #[test]
    fn languages_have_their_published_names() {
        let keys = ["python", "csharp", "cpp", "tsx", "commonlisp", "udev"];
        let names = ["Python", "CSharp", "CPP", "TypeScriptReact", "CommonLisp", "udev"];
        assert_eq!(keys.map(language), names.map(str::to_owned));
    }
}
