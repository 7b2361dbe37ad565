//! When a text answers a question.

use super::Question;

/// In how many lines above an answer one of the words of `near` may stand.
const ABOVE: usize = 5;
/// An answer is looked for in so many places of a text.
const PLACES: usize = 10_000;

/// Whether all answers of a question are in a text, each near one of the words that it has to be near to.
pub fn is_answered(question: &Question, text: &str) -> bool {
    let lines: Vec<String> = text.split('\n').map(str::to_lowercase).collect();
    let near: Vec<String> = question.near.iter().map(|word| word.to_lowercase()).collect();
    let counts = |line: usize| {
        let around = lines.get(line.saturating_sub(ABOVE)..=line).unwrap_or_default();
        let has = |word: &String| around.iter().any(|line| line.contains(word.as_str()));
        near.is_empty() || near.iter().any(has)
    };
    question.answer.iter().all(|answer| places(answer, text).into_iter().any(counts))
}

/// The lines, from 0, in which an answer stands as a whole. A number may have commas between its thousands.
fn places(answer: &str, text: &str) -> Vec<usize> {
    let mut forms = vec![answer.to_owned()];
    if answer.bytes().all(|byte| byte.is_ascii_digit()) {
        forms.push(with_commas(answer));
    }
    let found = forms.iter().flat_map(|form| {
        let whole = |at: &usize| is_whole(form, text, *at);
        text.match_indices(form.as_str()).map(|(at, _)| at).filter(whole).take(PLACES)
    });
    let line = |at: usize| text.get(..at).map_or(0, |before| before.matches('\n').count());
    found.map(line).collect()
}

/// Whether no letter, digit or underscore continues a form at an end that is one itself.
fn is_whole(form: &str, text: &str, at: usize) -> bool {
    let is_word = |one: char| one.is_alphanumeric() || one == '_';
    let continues =
        |one: Option<char>| one.is_some_and(|one| one.is_ascii_alphanumeric() || one == '_');
    let before = text.get(..at).and_then(|before| before.chars().next_back());
    let after = text.get(at + form.len()..).and_then(|after| after.chars().next());
    let (first, last) = (form.chars().next(), form.chars().next_back());
    !(first.is_some_and(is_word) && continues(before)
        || last.is_some_and(is_word) && continues(after))
}

/// A number as it is written with commas, without zeros in front.
fn with_commas(digits: &str) -> String {
    let digits = digits.trim_start_matches('0');
    let digits = if digits.is_empty() { "0" } else { digits };
    let mut text = String::new();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{super::tests::question, is_answered, with_commas};

    #[test]
    fn an_answer_is_whole_and_near_its_words() {
        let port = question("8080", &["port"]);
        for (text, expected) in [
            ("port 8080", true),
            ("Ports:\n\n  a: 8080", true),
            ("port: 8,080", true),
            ("8080", false),
            ("port 18080", false),
            ("port 8080_a", false),
            ("8080\nport", false),
            ("port\n1\n2\n3\n4\n8080", true),
            ("port\n1\n2\n3\n4\n5\n8080", false),
        ] {
            assert_eq!(is_answered(&port, text), expected, "{text}");
        }
    }

    #[test]
    fn all_answers_must_be_there() {
        let mut both = question("a.b", &[]);
        both.answer.push("x y".to_owned());
        assert!(is_answered(&both, "x y (a.b)"));
        assert!(!is_answered(&both, "x y") && !is_answered(&both, "a.bc x y"));
        // An end that is no letter is continued by anything.
        assert!(is_answered(&question("--all", &[]), "x--all"));
        assert!(is_answered(&question("f(", &[]), "f(a"));
    }

    #[test]
    fn thousands_may_have_commas() {
        assert_eq!(
            ["1", "999", "1234", "1234567"].map(with_commas),
            ["1", "999", "1,234", "1,234,567"]
        );
        assert_eq!(["007", "000"].map(with_commas), ["7", "0"]);
    }
}
