//! Secrets in places without a sign between name and value: the password in a URL, a header, an
//! option, an instruction of a Dockerfile, the default of a column, an XML element.

use std::{borrow::Cow, sync::OnceLock};

use regex::{Captures, Regex};

use crate::secrets::{
    MASK,
    names::{Certainty, certainty},
    values,
};

/// A place. In its expression, `name` is the name of the value, if it has one, and `value` is what
/// may be secret.
struct Place {
    /// The expression, compiled when a text first needs it: to compile all takes longer than to explore a
    /// small file.
    pattern: &'static str,
    expression: OnceLock<Regex>,
    /// Texts, in small letters, one of which a match contains, whatever their case. Most texts lack them and
    /// need no further look.
    needs: &'static [&'static str],
    certainty: Certainty,
    /// Whether the value must also look random, because names of secrets stand in such places
    /// beside other words, too.
    must_look_random: bool,
}

static PLACES: [Place; 20] = {
    let named = Certainty::None;
    [
        // scheme://user:password@host
        Place::new(
            &["://"],
            Certainty::Password,
            r#"://[^\s/?#"'<>@:]*:(?P<value>[^\s/?#"'<>]*[^\s/?#"'<>@])@"#,
        ),
        // scheme://token@host
        Place::new(&["://"], Certainty::Possible, r#"://(?P<value>[^\s/?#"'<>@:]{16,})@"#),
        Place::new(
            &["bearer", "basic", "token", "apikey"],
            Certainty::Possible,
            r"(?i)\b(?:bearer|basic|token|apikey)\s+(?P<value>[0-9A-Za-z._~+/=-]{12,})",
        ),
        // Authorization: Bearer token
        Place::new(
            &["uthorization"],
            Certainty::Certain,
            r#"(?i)\bauthorization["']?\s*[:=]\s*["']?(?:bearer|basic|token)\s+(?P<value>[0-9A-Za-z._~+/=-]{12,})"#,
        ),
        // curl --user name:password
        Place::new(
            &["-u"],
            Certainty::Password,
            r#"(?:^|\s)(?:-u|--user)[\s=]+["']?[^\s:"'/]+:(?P<value>[^\s"']+)"#,
        ),
        Place::new(
            &["sshpass"],
            Certainty::Password,
            r#"\bsshpass\s+-p\s*["']?(?P<value>[^\s"']+)"#,
        ),
        Place::new(
            &["mysql"],
            Certainty::Possible,
            r#"\bmysql\w*\b[^\n|;]*?\s-p["']?(?P<value>[^\s"']+)"#,
        ),
        // --password value
        Place::new(
            &["--"],
            named,
            r#"(?:^|[\s"'])--?(?P<name>[A-Za-z][0-9A-Za-z_-]*)["']?[,\s]\s*["']?(?P<value>[^\s"'\-<\[{$][^\s"',;|)]*)"#,
        ),
        // ENV NAME value
        Place::new(
            &["env", "arg"],
            named,
            r"(?im)^[ \t]*(?:ENV|ARG|setenv)[ \t]+(?P<name>\w+)[ \t]+(?P<value>[^\s=#][^\n]*)",
        ),
        // #define NAME "value"
        Place::new(&["#define"], named, r#"#define\s+(?P<name>\w+)\s+L?"(?P<value>[^"\n]+)"#),
        // machine host login name password value
        Place::new(
            &["machine"],
            Certainty::Password,
            r"(?i)\bmachine\s+\S+[^\n]*?\spassword\s+(?P<value>\S+)",
        ),
        Place::new(
            &["login"],
            Certainty::Password,
            r"(?i)\blogin\s+\S+\s+password\s+(?P<value>\S+)",
        ),
        // PASSWORD 'value', IDENTIFIED BY 'value'
        Place::new(
            &["password", "identified"],
            Certainty::Password,
            r"(?i)\b(?:password|identified\s+(?:with\s+\S+\s+)?by)\s+'(?P<value>(?:[^'\\\n]|\\.)+)'",
        ),
        // name TEXT DEFAULT 'value': every word before the default may be the name
        Place::new(
            &["default"],
            named,
            r#"(?i)(?P<name>[a-z_][\w"`\[\] ]{1,80}(?:\([0-9, ]*\))?[\w ]{0,40}?)\s+DEFAULT\s+[a-z]?'(?P<value>(?:[^'\\\n]|\\.)+)'"#,
        ),
        // string name = 1 [default = "value"]
        Place::new(
            &["default"],
            named,
            r#"(?P<name>\w+)\s*=\s*\d+\s*\[[^\]\n]*?\bdefault\s*=\s*"(?P<value>[^"\n]+)"#,
        ),
        // <name>value</name>
        Place::new(
            &["</"],
            named,
            r"<(?P<name>[A-Za-z_][\w.:-]*)(?:\s[^<>]*)?>\s*(?:<!\[CDATA\[)?(?P<value>[^<>\s][^<>\n]*)",
        ),
        // name="NAME" value="value", {"key": "NAME", "value": "value"}, - name: NAME\n  value: value
        Place::new(
            &["val"],
            named,
            r#"(?i)\b(?:name|key|id|setting|variable|option|parameter(?:key|name)?)["']?\s*[:=]\s*["']?(?P<name>\w[\w.:-]*)["']?\s*[,;]?\s*["']?(?:default_?|parameter)?val(?:ue)?["']?\s*[:=]\s*["']?(?P<value>[^\s"',;<>}]+)"#,
        ),
        // The same in the other order: value: value\n  name: NAME
        Place::new(
            &["val"],
            named,
            r#"(?i)\b(?:default_?|parameter)?val(?:ue)?["']?\s*[:=]\s*["']?(?P<value>[^\s"',;<>{}\[]+)["']?\s*[,;]?\s*["']?(?:name|key|setting|variable|option|parameter(?:key|name)?)["']?\s*[:=]\s*["']?(?P<name>\w[\w.:-]*)"#,
        ),
        // 'NAME', 'value' of a row that is inserted, and NAME | value of a printed one
        Place::looking(
            &["pass", "pwd", "secret", "token", "key", "credential"],
            r"(?:'(?P<name>[A-Za-z_][\w.:-]*)'[ \t]*,[ \t]*'(?P<value>[^'\n]+)'|(?:^|[|\s])(?P<column>[A-Za-z_][\w.:-]*)[ \t]*[|\t][ \t]*(?P<cell>[^\s|]+))",
        ),
        // DB_PASSWORD value in a message
        Place::looking(
            &["pass", "pwd", "secret", "token", "key", "credential"],
            r"\b(?P<name>[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)[ \t]+(?P<value>[^\s=:|]+)",
        ),
    ]
};

/// The text with the secrets at these places masked.
pub fn masked(text: Cow<'_, str>) -> Cow<'_, str> {
    let mut text = text;
    for place in &PLACES {
        if !place.needs.iter().any(|needed| contains(&text, needed)) {
            continue;
        }
        let expression = place.expression();
        if expression.is_match(&text) {
            let shown = expression.replace_all(&text, |found: &Captures| place.shown(found));
            if let Cow::Owned(shown) = shown {
                text = Cow::Owned(shown);
            }
        }
    }
    text
}

/// Whether a text contains another one, which is in small letters, whatever the case.
fn contains(text: &str, needed: &str) -> bool {
    let (text, needed) = (text.as_bytes(), needed.as_bytes());
    let Some((first, rest)) = needed.split_first() else { return true };
    memchr::memchr2_iter(*first, first.to_ascii_uppercase(), text).any(|at| {
        text.get(at + 1..).is_some_and(|after| {
            after.len() >= rest.len()
                && after.iter().zip(rest).all(|(byte, small)| byte.to_ascii_lowercase() == *small)
        })
    })
}

impl Place {
    const fn new(
        needs: &'static [&'static str],
        certainty: Certainty,
        pattern: &'static str,
    ) -> Self {
        let must_look_random = false;
        Self { pattern, expression: OnceLock::new(), needs, certainty, must_look_random }
    }

    /// A place of a name and a value that has to look random.
    const fn looking(needs: &'static [&'static str], pattern: &'static str) -> Self {
        Self {
            pattern,
            expression: OnceLock::new(),
            needs,
            certainty: Certainty::None,
            must_look_random: true,
        }
    }

    #[expect(clippy::expect_used, reason = "they are part of the program and loaded by a test")]
    fn expression(&self) -> &Regex {
        self.expression.get_or_init(|| Regex::new(self.pattern).expect("the expressions are valid"))
    }

    fn shown(&self, found: &Captures) -> String {
        let value = found.name("value").or_else(|| found.name("cell"));
        let (Some(all), Some(value)) = (found.get(0), value) else {
            return String::new();
        };
        let name = found.name("name").or_else(|| found.name("column"));
        let name = name.map_or("", |name| name.as_str());
        let words = name.split([' ', '"', '`', '[', ']', '(', ')', ',']);
        let certain = words.map(certainty).max().unwrap_or(Certainty::None);
        let certainty = match certain {
            _ if name.is_empty() => self.certainty,
            Certainty::None | Certainty::Possible if self.must_look_random => Certainty::None,
            _ if self.must_look_random => Certainty::Possible,
            certain => certain,
        };
        if !values::is_secret(certainty, name, value.as_str(), false) {
            return all.as_str().to_owned();
        }
        let (start, end) = (value.start() - all.start(), value.end() - all.start());
        let (before, after) = (all.as_str().get(..start), all.as_str().get(end..));
        [before.unwrap_or_default(), MASK, after.unwrap_or_default()].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::masked;

    #[test]
    fn places_give_secrets_away() {
        for (text, shown) in [
            ("db://me:pw1@host/x y", "db://me:****@host/x y"),
            ("see https://a.b/c@d", "see https://a.b/c@d"),
            ("ssh://git@a.b/c", "ssh://git@a.b/c"),
            ("curl -u me:hunter2 x", "curl -u me:**** x"),
            ("run --api-key x9Kq2mZp --n 1", "run --api-key **** --n 1"),
            ("ENV DB_PASSWORD hunter two", "ENV DB_PASSWORD ****"),
            ("ARG NPM_TOKEN\nRUN npm ci", "ARG NPM_TOKEN\nRUN npm ci"),
            ("MACHINE h LOGIN me PASSWORD hunter2", "MACHINE h LOGIN me PASSWORD ****"),
            ("machine h login me password hunter2", "machine h login me password ****"),
            ("ALTER USER a PASSWORD 'hunter2'", "ALTER USER a PASSWORD '****'"),
            ("password TEXT NOT NULL DEFAULT 'hunter2',", "password TEXT NOT NULL DEFAULT '****',"),
            ("<password>hunter2</password>", "<password>****</password>"),
            (
                "<add key=\"DbPassword\" value=\"hunter2\"/>",
                "<add key=\"DbPassword\" value=\"****\"/>",
            ),
            ("- name: DB_PASS\n  value: hunter2", "- name: DB_PASS\n  value: ****"),
            ("- value: hunter2\n  name: DB_PASS", "- value: ****\n  name: DB_PASS"),
            (
                "{\"value\":\"hunter2\",\"name\":\"DB_PASS\"}",
                "{\"value\":\"****\",\"name\":\"DB_PASS\"}",
            ),
            (
                "{\"ParameterKey\":\"DbPass\",\"ParameterValue\":\"hunter2\"}",
                "{\"ParameterKey\":\"DbPass\",\"ParameterValue\":\"****\"}",
            ),
            (
                "CREATE TABLE u(id int, password text DEFAULT 'hunter2');",
                "CREATE TABLE u(id int, password text DEFAULT '****');",
            ),
            (
                "add column pwd varchar(20) default 'hunter2'",
                "add column pwd varchar(20) default '****'",
            ),
            ("token_type text DEFAULT 'Bearer7x'", "token_type text DEFAULT 'Bearer7x'"),
            (
                "string password = 1 [default = \"hunter2\"];",
                "string password = 1 [default = \"****\"];",
            ),
            ("VALUES ('db_password','hunter22')", "VALUES ('db_password','****')"),
            ("fields = ['password', 'email']", "fields = ['password', 'email']"),
            (" db_password | hunter22", " db_password | ****"),
            ("DB_PASSWORD hunter22 was set", "DB_PASSWORD **** was set"),
            ("DB_PASSWORD is not set", "DB_PASSWORD is not set"),
            ("Authorization: Bearer x9Kq2mZp7Lw4", "Authorization: Bearer ****"),
            ("basic understanding-of", "basic understanding-of"),
        ] {
            assert_eq!(masked(text.into()), shown);
        }
    }
}
