use super::{Dialect, Entry, Reader};

fn entries(dialect: Dialect, text: &str) -> Vec<String> {
    let mut reader = Reader::new(dialect);
    let mut found = Vec::new();
    let mut give = |entry| {
        found.push(match entry {
            Entry::Section { name, line } => format!("{line} [{name}]"),
            Entry::Key { name, value: Some(value), line } => format!("{line} {name}={value}"),
            Entry::Key { name, value: None, line } => format!("{line} {name}"),
            Entry::Comment => "comment".to_owned(),
            Entry::Other => "other".to_owned(),
            Entry::Bad { what, line } => format!("{line} bad: {what}"),
        });
    };
    for (index, line) in text.lines().enumerate() {
        reader.line(line, index as u64 + 1, &mut give);
    }
    reader.finish(&mut give);
    found
}

#[test]
fn ini_values_go_on_in_deeper_lines() {
    let text = "top: 1\n[a]\n# c\n  b = 1\n    2\n  flag\n\n[c d]\n= x\n[open\n";
    assert_eq!(
        entries(Dialect::Ini, text),
        [
            "1 top=1",
            "2 [a]",
            "comment",
            "4 b=1\n2",
            "6 flag",
            "8 [c d]",
            "9 bad: a name should stand before the sign",
            "10 bad: the bracket of a section's name is not closed"
        ]
    );
}

#[test]
fn unit_values_go_on_behind_a_backslash() {
    let text = "[Service]\nExecStart=/bin/a \\\n# c\n  -b:c\nExecStart=\n";
    assert_eq!(
        entries(Dialect::Unit, text),
        ["1 [Service]", "comment", "2 ExecStart=/bin/a -b:c", "5 ExecStart="]
    );
}

#[test]
fn properties_have_escapes_and_three_separators() {
    let text = "# c\n! c\na = 1\nb:2\nc 3\nd\\ e=\\u00e4\\\n   5\n\\u12 = x\nf\n";
    assert_eq!(
        entries(Dialect::Properties, text),
        ["comment", "comment", "3 a=1", "4 b=2", "5 c=3", "6 d e=ä5", "8 u12=x", "9 f="]
    );
}

#[test]
fn environment_values_may_be_quoted_over_lines() {
    let text = "# c\nexport A=1 # x\nB=\"x\ny\" # z\nC='it''\nD\n= 1\nE=\"open\n";
    assert_eq!(
        entries(Dialect::Environment, text),
        [
            "comment",
            "2 A=1",
            "3 B=x\ny",
            "5 C=it",
            "6 D",
            "7 bad: a name should stand before the sign",
            "8 bad: the text ends inside quotes",
            "8 E=\"open"
        ]
    );
}
