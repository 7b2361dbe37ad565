//! Keeps a root up to date while its files change.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    time::{Duration, Instant},
};

use map::repo::{Present, present};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher, event::ModifyKind};

use crate::{
    settings::Settings,
    status::{IndexError, Synced, sync_present},
    sync::Progress,
};

/// A root is read when nothing has changed for so long,
const QUIET: Duration = Duration::from_millis(200);
/// or when something changes all the time, after so long.
const LATEST: Duration = Duration::from_secs(2);
/// Most folders that are looked into below one that is new.
const NEW_FOLDERS: usize = 10_000;

/// Brings the root around a directory up to date, at once and after every change of its files, and tells
/// what each time did until `told` says false.
///
/// Folders are watched that hold a file of the root, and those that are made in them. What git ignores is not
/// watched, unless it is made in the meantime.
///
/// # Errors
/// The directory cannot be listed, or the system does not watch so many folders.
pub fn watch(
    settings: &Settings,
    dir: &Path,
    progress: Progress,
    told: &mut dyn FnMut(&Synced) -> bool,
) -> Result<(), IndexError> {
    let (sender, changes) = mpsc::channel();
    let mut folders = Folders {
        watcher: notify::recommended_watcher(move |event| {
            // Nobody listens any more once the watching has ended.
            let _ = sender.send(event);
        })?,
        watched: BTreeSet::new(),
        store: None,
    };
    loop {
        // What changes while the root is read is read the next time.
        let present = present(dir, &settings.excluded)?;
        folders.follow(&present)?;
        let synced = sync_present(settings, &present, progress)?;
        // The first time makes the store: only now its folder has a path without links.
        let store = fs::canonicalize(&settings.folder).ok();
        folders.store =
            store.filter(|store| *store != present.root && store.starts_with(&present.root));
        if !told(&synced) {
            return Ok(());
        }
        loop {
            // The watcher holds the other end, so that there is always one.
            let Ok(event) = changes.recv() else { return Ok(()) };
            if folders.take(event)? {
                break;
            }
        }
        folders.settle(&changes)?;
    }
}

/// The folders that are watched.
struct Folders {
    watcher: RecommendedWatcher,
    watched: BTreeSet<PathBuf>,
    /// The folder of the store, if it is below the root: what is written there is no change of the root, and
    /// reading the root again would write it again.
    store: Option<PathBuf>,
}

impl Folders {
    /// Watches the folders of all files of a root.
    fn follow(&mut self, present: &Present) -> Result<(), IndexError> {
        self.watched.retain(|folder| folder.is_dir());
        self.add(&present.root)?;
        for file in &present.files {
            let path = present.root.join(&file.rel);
            let above = path.ancestors().skip(1).take_while(|above| *above != present.root);
            for folder in above {
                self.add(folder)?;
            }
        }
        Ok(())
    }

    fn add(&mut self, folder: &Path) -> Result<(), IndexError> {
        if self.watched.contains(folder) {
            return Ok(());
        }
        match self.watcher.watch(folder, RecursiveMode::NonRecursive) {
            Ok(()) => {
                self.watched.insert(folder.to_owned());
                Ok(())
            }
            // It is gone already.
            Err(_) if !folder.is_dir() => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Whether an event may change what is known of the root. A new folder is watched from now on.
    fn take(&mut self, event: notify::Result<Event>) -> Result<bool, IndexError> {
        let event = event?;
        match event.kind {
            EventKind::Access(_) => return Ok(false),
            // A folder that is made again under its name needs a watch of its own: the old one ended with the old
            // folder.
            EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_)) => {
                event.paths.iter().for_each(|path| self.forget(path));
            }
            _ => {}
        }
        let store = self.store.clone();
        let is_foreign = |path: &PathBuf| {
            path.iter().any(|part| part == ".git")
                || store.as_ref().is_some_and(|store| path.starts_with(store))
        };
        let paths = event.paths.iter().filter(|path| !is_foreign(path));
        let mut below: Vec<PathBuf> = paths.clone().cloned().collect();
        let mut left = NEW_FOLDERS;
        while let Some(folder) = below.pop().filter(|_| left > 0) {
            left -= 1;
            // Links lead to folders that are watched where they are, or are outside.
            let is_folder = fs::symlink_metadata(&folder).is_ok_and(|found| found.is_dir());
            if is_folder && !self.watched.contains(&folder) {
                self.add(&folder)?;
                let inside = fs::read_dir(&folder).into_iter().flatten().flatten();
                below.extend(inside.map(|entry| entry.path()).filter(|path| !is_foreign(path)));
            }
        }
        // Events without a path say that some were lost: folders may have been made again.
        if event.paths.is_empty() {
            self.watched.clear();
        }
        Ok(paths.count() > 0 || event.paths.is_empty())
    }

    /// Removes a folder, and all below it, from those that are known to be watched.
    fn forget(&mut self, folder: &Path) {
        let from = self.watched.range(folder.to_owned()..);
        let gone: Vec<PathBuf> =
            from.take_while(|watched| watched.starts_with(folder)).cloned().collect();
        for folder in &gone {
            self.watched.remove(folder);
        }
    }

    /// Waits until nothing changes any more.
    fn settle(&mut self, changes: &Receiver<notify::Result<Event>>) -> Result<(), IndexError> {
        let latest = Instant::now() + LATEST;
        loop {
            let left = latest.saturating_duration_since(Instant::now());
            match changes.recv_timeout(QUIET.min(left)) {
                Ok(event) => drop(self.take(event)?),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return Ok(()),
            }
            if left.is_zero() {
                return Ok(());
            }
        }
    }
}
