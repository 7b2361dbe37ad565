//! Files whose language only their content tells, because two languages share an extension.

use base::{profile::Profile, text::paths};

use super::{Language, registry};

/// What a line of Objective-C may begin with and a line of MATLAB or C never does.
const OBJECTIVE_C: &[&str] =
    &["#import", "@class", "@implementation", "@import", "@interface", "@protocol"];
/// What a line of any language in the family of C may begin with and a line of MATLAB never does.
const C: &[&str] = &["#define", "#if", "#include", "#pragma", "//", "/*"];

impl Language {
    /// The language that files of this language may be in instead.
    pub fn rival(&self) -> Option<&'static Self> {
        matches!(self.key, "c" | "matlab").then(|| registry().by_key("objc")).flatten()
    }

    /// The language that a text is in, judged by its content if two languages share the extension
    /// of `path`. The parity profile goes by the name alone, as the comparator does.
    pub fn of_text(&'static self, path: &str, text: &str, profile: Profile) -> &'static Self {
        let Some(rival) = self.rival().filter(|_| !profile.is_parity()) else { return self };
        let begins = |words: &[&str]| {
            text.lines().any(|line| {
                let line = line.trim_start();
                line.starts_with(['#', '@', '/']) && words.iter().any(|word| line.starts_with(word))
            })
        };
        let is_rival = match paths::split_extension(path).1 {
            ".m" => begins(OBJECTIVE_C) || begins(C),
            ".h" => begins(OBJECTIVE_C),
            _ => false,
        };
        if is_rival { rival } else { self }
    }
}

#[cfg(test)]
mod tests {
    use base::profile::Profile;

    use crate::language::{Detected, registry};

    fn key(path: &str, text: &str, profile: Profile) -> &'static str {
        match registry().detect(path, profile) {
            Detected::Tagged(language) => language.of_text(path, text, profile).key,
            Detected::Untagged => "",
        }
    }

    #[test]
    fn content_tells_languages_that_share_an_extension_in_the_enhancement_profile_alone() {
        for (path, text, language) in [
            ("a.m", "#import <A.h>\n", "objc"),
            ("a.m", "// A car.\n@implementation Car\n@end\n", "objc"),
            ("a.m", "function y = f(x)\n  y = x;\nend\n", "matlab"),
            ("a.m", "% @interface\nx = @sin;\n", "matlab"),
            ("a.h", "  @interface Car : NSObject\n@end\n", "objc"),
            ("a.h", "#include <a.h>\nint f(void);\n", "c"),
            ("a.c", "#import <a.h>\n", "c"),
            ("a.py", "@protocol\n", "python"),
        ] {
            assert_eq!(key(path, text, Profile::Enhancement), language, "{path}: {text}");
        }
        assert_eq!(key("a.m", "#import <A.h>\n", Profile::Parity), "matlab");
        assert_eq!(key("a.h", "@interface A\n", Profile::Parity), "c");
    }
}
