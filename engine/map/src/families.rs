//! Languages whose code can name each other's definitions.

/// The family of a language by its key; `None` for languages that describe interfaces and data, whose
/// names code of any language uses.
pub fn family(key: &'static str) -> Option<&'static str> {
    Some(match key {
        "graphql" | "openapi" | "properties" | "proto" | "sql" => return None,
        "arduino" | "c" | "cpp" | "cuda" | "objc" | "swift" => "c",
        "astro" | "css" | "html" | "javascript" | "scss" | "svelte" | "tsx" | "typescript"
        | "vue" => "javascript",
        "clojure" | "java" | "kotlin" | "scala" => "java",
        "c_sharp" | "csharp" => "csharp",
        "elixir" | "gleam" => "elixir",
        "ocaml" | "ocaml_interface" => "ocaml",
        "bash" | "dockerfile" | "make" => "shell",
        other => other,
    })
}

#[cfg(test)]
mod tests {
    use super::family;

    #[test]
    fn a_language_is_in_one_family_with_those_that_can_name_its_definitions() {
        assert_eq!(family("vue"), family("typescript"));
        assert_eq!(family("c"), family("objc"));
        assert_ne!(family("python"), family("javascript"));
        assert_ne!(family("css"), family("c"));
        assert_eq!((family("proto"), family("zig")), (None, Some("zig")));
    }
}
