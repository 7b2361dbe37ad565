//! A repository that is changed, and a folder beside it.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, SystemTime},
};

use tempfile::TempDir;

/// A repository below a temporary folder.
#[derive(Debug)]
pub struct Place {
    /// Absent for a clone, whose folder is that of the first.
    _folder: Option<TempDir>,
    root: PathBuf,
}

impl Place {
    /// A repository with so many files of code in it.
    pub fn with_code(files: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap().join("repository");
        fs::create_dir(&root).unwrap();
        let place = Self { _folder: Some(folder), root };
        place.git(&["init", "--quiet", "--initial-branch", "main"]);
        for file in 0..files {
            place.write(&format!("m{file}.{}", Self::extension(file)), &Self::code(file, file));
        }
        place.commit();
        place
    }

    /// The root of the repository.
    pub fn root(&self) -> PathBuf {
        self.root.clone()
    }

    /// A folder beside the repository, which is not made.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.root.parent().unwrap().join(name)
    }

    /// The extension of the file of a number.
    pub fn extension(file: usize) -> &'static str {
        ["py", "rs", "go", "js", "c", "pony"][file % 6]
    }

    /// Some code of a file; the seed decides the names in it.
    pub fn code(file: usize, seed: usize) -> String {
        let (own, other) = (format!("handle_item_{seed}"), format!("handle_item_{}", seed / 2));
        match Self::extension(file) {
            "py" => {
                format!("class Item{seed}:\n    def {own}(self):\n        return {other}(self)\n")
            }
            "rs" => format!("pub struct Item{seed};\n\nfn {own}() {{\n    {other}();\n}}\n"),
            "go" => format!("package main\n\nfunc {own}() int {{\n\treturn {other}()\n}}\n"),
            "js" => format!("function {own}(item) {{\n  return {other}(item);\n}}\n"),
            // It defines and refers to nothing, so that its references are found lexically.
            "c" => format!("struct item_{seed} {{ int {own}; }};\nint {other}_count;\n"),
            _ => format!("class Item{seed}\n  fun {own}(): U32 =>\n    {other}()\n"),
        }
    }

    pub fn write(&self, path: &str, text: &str) {
        fs::write(self.root.join(path), text).unwrap();
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root.join(path)).unwrap()
    }

    /// Runs git there.
    pub fn git(&self, arguments: &[&str]) {
        let ended = Command::new("git")
            .args(["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "gc.auto=0"])
            .args(arguments)
            .current_dir(&self.root)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output()
            .unwrap();
        assert!(ended.status.success(), "git {arguments:?}: {ended:?}");
    }

    fn commit(&self) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message", "change"]);
    }

    /// A clone beside it.
    pub fn clone_to(&self, name: &str) -> Self {
        let root = self.beside(name);
        self.git(&["clone", "--quiet", ".", root.to_str().unwrap()]);
        Self { _folder: None, root }
    }

    /// A work tree of a new branch beside it.
    pub fn worktree(&self, name: &str) -> Self {
        let root = self.beside(name);
        self.git(&["worktree", "add", "--quiet", "-b", name, root.to_str().unwrap()]);
        Self { _folder: None, root }
    }

    /// Makes every file so old that its times are trusted.
    pub fn settle() {
        // The change time cannot be set.
        std::thread::sleep(Duration::from_millis(3100));
    }

    /// Exchanges two characters of a file and restores its modification time.
    pub fn swap_bytes(&self, path: &str) {
        let path = self.root.join(path);
        let time = fs::metadata(&path).unwrap().modified().unwrap();
        let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
        fs::write(&path, text.replacen("tem", "met", 1)).unwrap();
        set_time(&path, time);
    }

    /// Does something to the files, and says what.
    pub fn edit(&self, random: &mut fastrand::Rng) -> String {
        let file = random.usize(0..16);
        let name = format!("m{file}.{}", Self::extension(file));
        let path = self.root.join(&name);
        match random.usize(0..9) {
            0..3 => self.write(&name, &Self::code(file, random.usize(0..40))),
            3 => drop(fs::remove_file(&path)),
            4 => {
                self.commit();
                return "commit".to_owned();
            }
            5 => self.git(&["checkout", "--quiet", "--force", "HEAD", "--", "."]),
            6 if path.exists() => self.swap_bytes(&name),
            7 if path.exists() => {
                let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).replace('\n', "\r\n");
                self.write(&name, &format!("\u{feff}{text}"));
            }
            8 => fs::write(&path, b"\xff\xfe not text").unwrap(),
            _ => {
                let other = format!("moved{}.{}", random.usize(0..4), Self::extension(file));
                drop(fs::rename(&path, self.root.join(other)));
            }
        }
        name
    }
}

fn set_time(path: &Path, time: SystemTime) {
    fs::File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
}
