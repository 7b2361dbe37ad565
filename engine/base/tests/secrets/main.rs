//! How many secrets are masked, and how much that is none: over the labelled texts of `labels.toml`, which
//! are demanded, and those of `unseen.toml`, which are reported. What comes out stands in `reports/explore/secrets.txt`; `PARITY_WRITE=1` writes it.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test fails by panicking, and reads its own files"
)]

use std::{env, fs, path::Path};

use base::secrets::{MASK, Secrets};
use serde::Deserialize;

/// Least share of the secrets that are masked, and of the masked texts that hold one.
const RECALL: f64 = 0.98;
const PRECISION: f64 = 0.98;

/// Shortest piece of a secret that may not be left, in characters, and how many signs before a secret may be
/// masked with it, such as `{a="`.
const PIECE: usize = 4;
const BRACKETS: usize = 4;

#[derive(Deserialize)]
struct Labels {
    positive: Vec<Labelled>,
    negative: Vec<Labelled>,
}

#[derive(Deserialize)]
struct Labelled {
    group: String,
    names: Vec<String>,
    values: Vec<String>,
    layouts: Vec<String>,
}

/// One labelled text: how it is shown, where its value goes, and the value.
struct Case {
    kind: String,
    name: String,
    text: String,
    value: String,
}

impl Labelled {
    fn cases(&self, drawn: &mut Drawn) -> Vec<Case> {
        let mut cases = Vec::new();
        for layout in &self.layouts {
            for name in &self.names {
                for value in &self.values {
                    // A `+` only keeps tokens from standing whole in this file.
                    let value = drawn.fill(&value.replace('+', ""));
                    let (kind, text) = layout.split_once(": ").unwrap_or((layout, "{v}"));
                    let text = text.replace("{n}", name).replace("{v}", &value);
                    let text = drawn.fill(&text);
                    cases.push(Case { kind: kind.to_owned(), name: name.clone(), text, value });
                }
            }
        }
        cases
    }
}

impl Case {
    fn shown(&self) -> String {
        let Self { kind, name, text, .. } = self;
        match kind.as_str() {
            "value" => Secrets::Masked.value(name, text).into_owned(),
            "text" => Secrets::Masked.text(text).into_owned(),
            "code" => Secrets::Masked.code(text).into_owned(),
            other => panic!("{other} is no kind"),
        }
    }

    /// Whether no piece of the secret is left, and the text around it is: all of what stands before it but the
    /// signs at its end, and no more lines than there were.
    fn is_masked(&self) -> bool {
        let shown = self.shown();
        let around = self.text.replace(&self.value, "\0");
        let before = around.split('\0').next().unwrap();
        let before = &before[..before.floor_char_boundary(before.len().saturating_sub(BRACKETS))];
        let signs: Vec<char> = self.value.chars().collect();
        let is_left = |piece: &[char]| {
            let piece: String = piece.iter().collect();
            shown.contains(&piece) && !around.contains(&piece)
        };
        shown.contains(MASK)
            && !shown.contains(&self.value)
            && !signs.windows(PIECE).any(is_left)
            && shown.starts_with(before)
            && shown.lines().count() == self.text.lines().count()
    }
}

/// Texts that look drawn, the same in every run: a linear congruential generator.
struct Drawn(u64);

impl Drawn {
    fn sign(&mut self, alphabet: &[u8]) -> char {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        char::from(alphabet[(self.0 >> 33) as usize % alphabet.len()])
    }

    /// A text with its `{alphabet:length}` filled in. What is drawn begins as texts without it do not: with
    /// a digit among letters.
    fn fill(&mut self, text: &str) -> String {
        const LETTERS: &str = "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ";
        const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
        const DIGITS: &str = "0123456789";
        let mut filled = text.to_owned();
        for (word, alphabet) in [
            ("drawn", format!("{LETTERS}{DIGITS}")),
            ("hex", format!("{DIGITS}abcdef")),
            ("upper", format!("{UPPER}{DIGITS}")),
            ("letters", LETTERS.to_owned()),
            ("digits", DIGITS.to_owned()),
            ("base32", format!("{UPPER}234567")),
        ] {
            while let Some(start) = filled.find(&format!("{{{word}:")) {
                let end = start + filled[start..].find('}').unwrap();
                let length: usize = filled[start + word.len() + 2..end].parse().unwrap();
                let signs: String = (0..length).map(|_| self.sign(alphabet.as_bytes())).collect();
                filled.replace_range(start..=end, &signs);
            }
        }
        filled
    }
}

#[test]
fn secrets_are_masked_and_little_else() {
    let labels: Labels = toml::from_str(include_str!("labels.toml")).unwrap();
    let mut drawn = Drawn(16);
    let mut page = String::from(
        "Labelled texts of engine/base/tests/secrets/labels.toml, written by\n\
         PARITY_WRITE=1 cargo test --package base --test secrets\n\n",
    );
    let (mut found, mut positives, mut wrong, mut negatives) = (0, 0, 0, 0);
    let mut failures = Vec::new();
    for group in &labels.positive {
        let cases = group.cases(&mut drawn);
        let masked = cases.iter().filter(|case| case.is_masked()).count();
        failures.extend(cases.iter().filter(|case| !case.is_masked()).map(describe));
        page.push_str(&format!("{:32} {masked:5} of {:5} masked\n", group.group, cases.len()));
        found += masked;
        positives += cases.len();
    }
    page.push('\n');
    for group in &labels.negative {
        let cases = group.cases(&mut drawn);
        let masked = cases.iter().filter(|case| case.shown() != case.text).count();
        failures.extend(cases.iter().filter(|case| case.shown() != case.text).map(describe));
        page.push_str(&format!(
            "{:32} {:5} of {:5} as they were\n",
            group.group,
            cases.len() - masked,
            cases.len()
        ));
        wrong += masked;
        negatives += cases.len();
    }
    let recall = f64::from(found as u32) / f64::from(positives as u32);
    let precision = f64::from(found as u32) / f64::from((found + wrong) as u32);
    page.push_str(&format!(
        "\npositives {positives}, negatives {negatives}\nrecall {recall:.4}, precision {precision:.4}\n"
    ));
    page.push_str(&unseen(&mut failures));
    if env::var_os("PARITY_SHOW").is_some() {
        println!("{page}\n{}", failures.join("\n"));
    }
    assert!(positives >= 300 && negatives >= 3_000, "{page}");
    assert!(recall >= RECALL && precision >= PRECISION, "{page}\n{}", failures.join("\n"));
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reports/explore/secrets.txt");
    if env::var_os("PARITY_WRITE").is_some() {
        fs::write(&committed, &page).unwrap();
    }
    assert_eq!(fs::read_to_string(&committed).unwrap(), page, "PARITY_WRITE=1 writes it");
}

/// What comes out over texts that the code was not mended by.
fn unseen(failures: &mut Vec<String>) -> String {
    let labels: Labels = toml::from_str(include_str!("unseen.toml")).unwrap();
    let mut drawn = Drawn(17);
    let mut of = |groups: &[Labelled]| -> Vec<Case> {
        groups.iter().flat_map(|group| group.cases(&mut drawn)).collect()
    };
    let (positive, negative) = (of(&labels.positive), of(&labels.negative));
    let masked = positive.iter().filter(|case| case.is_masked()).count();
    let wrong = negative.iter().filter(|case| case.shown() != case.text).count();
    failures.extend(positive.iter().filter(|case| !case.is_masked()).map(describe));
    failures.extend(negative.iter().filter(|case| case.shown() != case.text).map(describe));
    format!(
        "\nThe texts above were written together with the code, which was mended by them. Over those of\n\
         unseen.toml, written later and never used so:\n\n{:32} {masked:5} of {:5} masked\n{:32} {:5} of {:5} as they were\n",
        "secrets",
        positive.len(),
        "no secrets",
        negative.len() - wrong,
        negative.len()
    )
}

fn describe(case: &Case) -> String {
    format!("{} {:?} {:?} -> {:?}", case.kind, case.name, case.text, case.shown())
}

#[test]
fn what_is_shown_is_the_text_itself() {
    let text = "password=hunter2";
    assert_eq!(Secrets::Shown.text(text), text);
    assert_eq!(Secrets::Shown.value("password", "hunter2"), "hunter2");
}
