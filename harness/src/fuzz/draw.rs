//! Makes a repository from a seed.

use std::collections::BTreeSet;

use fastrand::Rng;
use record::Case;

use super::{
    Drawn, Material,
    alphabet::{AROUND, ENDINGS, FILLERS, FOLDERS, NAMES, STEMS},
    edit,
};

/// The most bytes of a repository; both sides map one of this size in a fraction of a second.
const MOST: usize = 120 << 10;
/// Budgets in tokens that are drawn most of the time.
const BUDGETS: [u64; 6] = [64, 256, 512, 1024, 2048, 4096];

/// The repository of a seed. Equal material and equal seeds give equal repositories.
pub fn draw(material: &Material, seed: u64) -> Drawn {
    let mut hand = Hand { rng: Rng::with_seed(seed), material, drawn: Drawn::default() };
    hand.files();
    hand.state();
    hand.view();
    hand.questions();
    hand.drawn.tidy();
    hand.drawn
}

struct Hand<'m> {
    rng: Rng,
    material: &'m Material,
    drawn: Drawn,
}

impl Hand<'_> {
    /// True with a chance of one in `times`.
    fn once_in(&mut self, times: u32) -> bool {
        self.rng.u32(..times) == 0
    }

    fn pick(&mut self, words: &[&str]) -> String {
        self.rng.choice(words).copied().unwrap_or_default().to_owned()
    }

    fn files(&mut self) {
        let known = self.material.known();
        let few: Vec<String> = (0..self.rng.usize(1..=3)).map(|_| self.pick(&known)).collect();
        let count = if self.once_in(6) { self.rng.usize(8..24) } else { self.rng.usize(1..8) };
        for _ in 0..count {
            let ending = if self.once_in(8) {
                self.pick(&known)
            } else {
                self.rng.choice(&few).cloned().unwrap_or_default()
            };
            let text = self.text(&ending);
            let path = self.path(&ending);
            if self.fits(&path) && self.drawn.size() + text.len() <= MOST {
                self.drawn.files.insert(path, text);
            }
        }
    }

    /// Whether a file may have this path: no other file has the path of one of its folders, or a path
    /// below it.
    fn fits(&self, path: &str) -> bool {
        let folder = format!("{path}/");
        let mut others = self.drawn.files.keys().chain(self.drawn.description.git.symlinks.keys());
        others.all(|other| {
            other != path
                && !other.starts_with(&folder)
                && !path.strip_prefix(other.as_str()).is_some_and(|rest| rest.starts_with('/'))
        })
    }

    fn text(&mut self, ending: &str) -> Vec<u8> {
        let mut text = self.piece(ending);
        let changes = [0, 0, 1, 1, 2, 3, 6];
        for _ in 0..self.rng.choice(changes).unwrap_or(0) {
            let foreign = self.once_in(5);
            let known = self.material.known();
            let other = if foreign { self.pick(&known) } else { ending.to_owned() };
            let other = self.piece(&other);
            text = edit::change(&mut self.rng, &text, &other);
        }
        if self.once_in(5) {
            text = self.bound(text);
        }
        text
    }

    /// Some lines of a text from the material.
    fn piece(&mut self, ending: &str) -> Vec<u8> {
        let texts = self.material.of(ending);
        let Some(text) = self.rng.choice(texts) else { return Vec::new() };
        edit::part(&mut self.rng, &text.bytes)
    }

    /// The text with one of its names replaced by a name of an earlier file, so that files refer to
    /// each other.
    fn bound(&mut self, text: Vec<u8>) -> Vec<u8> {
        let files: Vec<&Vec<u8>> = self.drawn.files.values().collect();
        let Some(other) = self.rng.choice(files) else { return text };
        let Ok(written) = std::str::from_utf8(&text) else { return text };
        let (mine, theirs) = (edit::words(&text), edit::words(other));
        match (self.rng.choice(&mine), self.rng.choice(&theirs)) {
            (Some(old), Some(new)) => written.replace(*old, new).into_bytes(),
            _ => text,
        }
    }

    fn path(&mut self, ending: &str) -> String {
        let mut path = String::new();
        for _ in 0..self.rng.usize(..3) {
            path = format!("{path}{}/", self.pick(&FOLDERS));
        }
        if self.once_in(12) {
            return path + &self.pick(&NAMES);
        }
        let words: Vec<String> = self
            .drawn
            .files
            .values()
            .next_back()
            .map(|text| edit::words(text).into_iter().take(40).map(str::to_owned).collect())
            .unwrap_or_default();
        let stem = match self.rng.u8(..4) {
            0 => self.rng.choice(&words).filter(|word| word.len() < 60).cloned(),
            1 => Some(format!("file_{}", self.rng.u8(..20))),
            _ => None,
        };
        let stem = stem.unwrap_or_else(|| self.pick(&STEMS));
        let ending = if self.once_in(14) { self.pick(&ENDINGS) } else { ending.to_owned() };
        format!("{path}{stem}{ending}")
    }

    /// Adds state beyond a commit: links, staged, untracked and missing files, ignore rules.
    fn state(&mut self) {
        let paths: Vec<String> = self.drawn.files.keys().cloned().collect();
        for path in &paths {
            let git = &mut self.drawn.description.git;
            match self.rng.u8(..60) {
                0 => git.staged.insert(path.clone()),
                1 => git.untracked.insert(path.clone()),
                2 => git.deleted.insert(path.clone()),
                3 => git.removed_cached.insert(path.clone()),
                4 => git.executable.insert(path.clone()),
                _ => true,
            };
        }
        if self.once_in(8) {
            let target = self.rng.choice(&paths).cloned().unwrap_or_default();
            let target = if self.once_in(4) { self.pick(&FOLDERS) } else { target };
            let link = self.path(".py").rsplit('/').next().unwrap_or("link.py").to_owned();
            if self.fits(&link) && link != target && !target.starts_with(&format!("{link}/")) {
                self.drawn.description.git.symlinks.insert(link, target);
            }
        }
        if self.once_in(12) {
            let path = if self.rng.bool() { ".aiderignore" } else { ".gitignore" };
            let mut rules = String::new();
            for _ in 0..self.rng.usize(1..4) {
                let path = self.rng.choice(&paths).cloned().unwrap_or_default();
                let rule = match self.rng.u8(..6) {
                    0 => path.rsplit('/').next().unwrap_or_default().to_owned(),
                    1 => path.split('/').next().unwrap_or_default().to_owned() + "/",
                    2 => {
                        path.rsplit_once('.').map_or("*".to_owned(), |(_, end)| format!("*.{end}"))
                    }
                    3 => format!("!{path}"),
                    4 => format!("/{path}"),
                    _ => format!("**/{path} # x"),
                };
                rules += &rule;
                rules.push('\n');
            }
            self.drawn.files.insert(path.to_owned(), rules.into_bytes());
        }
    }

    fn view(&mut self) {
        if !self.once_in(10) {
            return;
        }
        let folders: BTreeSet<&str> =
            self.drawn.files.keys().filter_map(|path| Some(path.rsplit_once('/')?.0)).collect();
        if let Some(folder) = self.rng.choice(folders) {
            let view = &mut self.drawn.description.view;
            folder.clone_into(&mut view.cwd);
            view.subtree_only = self.rng.bool();
        }
    }

    fn questions(&mut self) {
        let files: Vec<String> = self.drawn.files.keys().cloned().collect();
        let cases = self.rng.usize(1..=3);
        for number in 0..cases {
            let chat = if self.rng.bool() { self.some(&files) } else { Vec::new() };
            let read_only = if self.once_in(4) { self.some(&files) } else { Vec::new() };
            let message = if self.rng.bool() { self.message(&files) } else { String::new() };
            self.drawn.description.cases.push(Case {
                id: format!("case-{number}"),
                chat_files: chat,
                read_only_files: read_only,
                message,
                no_map: false,
            });
        }
        let mut budgets = BTreeSet::new();
        for _ in 0..self.rng.usize(1..=2) {
            let drawn = self.rng.u64(1..6000);
            let usual = self.rng.choice(BUDGETS).unwrap_or(1024);
            budgets.insert(if self.once_in(3) { drawn } else { usual });
        }
        self.drawn.budgets = budgets.into_iter().collect();
    }

    fn some(&mut self, files: &[String]) -> Vec<String> {
        let count =
            if self.once_in(10) { files.len() } else { self.rng.usize(..=files.len().min(3)) };
        let mut some = self.rng.choose_multiple(files.iter().cloned(), count);
        some.sort();
        some
    }

    fn message(&mut self, files: &[String]) -> String {
        let mut message = String::new();
        for _ in 0..self.rng.usize(1..12) {
            let file = self.rng.choice(files).cloned().unwrap_or_default();
            let text = self.drawn.files.get(&file).map_or(&[][..], Vec::as_slice);
            let words = edit::words(text);
            let word = match self.rng.u8(..5) {
                0 => file.clone(),
                1 => file.rsplit('/').next().unwrap_or_default().to_owned(),
                2 => self.pick(&FILLERS),
                _ => self.rng.choice(&words).copied().unwrap_or_default().to_owned(),
            };
            let word = if self.once_in(8) { word.to_uppercase() } else { word };
            let (before, behind) = self.rng.choice(AROUND).unwrap_or_default();
            message += &format!("{before}{word}{behind} ");
        }
        message
    }
}
