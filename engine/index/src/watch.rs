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

/// A root is read again when nothing has changed for this long.
const QUIET: Duration = Duration::from_millis(200);
/// If changes never stop, a root is read again after this long.
const LATEST: Duration = Duration::from_secs(2);
/// Maximum number of folders that are visited below a new folder.
const NEW_FOLDERS: usize = 10_000;

/// Brings the root around a directory up to date, at once and after every change of its files, and
/// passes the result of each time to `told` until that returns false.
///
/// The folders that hold a file of the root are watched, and the folders that are created in them.
/// Folders that git ignores are not watched, unless they are created while this runs.
///
/// # Errors
/// The directory cannot be listed, or the system cannot watch that many folders.
pub fn watch(
    settings: &Settings,
    dir: &Path,
    progress: Progress,
    told: &mut dyn FnMut(&Synced) -> bool,
) -> Result<(), IndexError> {
    let (sender, changes) = mpsc::channel();
    let mut folders = Folders {
        watcher: notify::recommended_watcher(move |event| {
            // The receiver is gone once the watching has ended.
            let _ = sender.send(event);
        })?,
        watched: BTreeSet::new(),
        store: None,
    };
    loop {
        // Changes that happen while the root is read are handled the next time.
        let present = present(dir, &settings.excluded)?;
        folders.follow(&present)?;
        let synced = sync_present(settings, &present, progress)?;
        // The first pass creates the store: only then its folder has a path without links.
        let store = fs::canonicalize(&settings.folder).ok();
        folders.store =
            store.filter(|store| *store != present.root && store.starts_with(&present.root));
        if !told(&synced) {
            return Ok(());
        }
        loop {
            // This cannot fail while the watcher holds the sender.
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
    /// The folder of the store, if it is below the root. Writing to it is not a change of the root;
    /// if it counted as one, every pass would cause the next.
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
            // The folder is already gone.
            Err(_) if !folder.is_dir() => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Whether an event may change what the index knows of the root. A new folder is watched from
    /// now on.
    fn take(&mut self, event: notify::Result<Event>) -> Result<bool, IndexError> {
        let event = event?;
        match event.kind {
            EventKind::Access(_) => return Ok(false),
            // A folder that is created again under the same name needs a new watch: the old one
            // ended with the old folder.
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
            // Links are not followed: their targets are watched in their own place, or lie outside
            // the root.
            let is_folder = fs::symlink_metadata(&folder).is_ok_and(|found| found.is_dir());
            if is_folder && !self.watched.contains(&folder) {
                self.add(&folder)?;
                let inside = fs::read_dir(&folder).into_iter().flatten().flatten();
                below.extend(inside.map(|entry| entry.path()).filter(|path| !is_foreign(path)));
            }
        }
        // An event without a path says that events were lost: folders may have been created again.
        if event.paths.is_empty() {
            self.watched.clear();
        }
        Ok(paths.count() > 0 || event.paths.is_empty())
    }

    /// Removes a folder, and all folders below it, from the set of watched folders.
    fn forget(&mut self, folder: &Path) {
        let from = self.watched.range(folder.to_owned()..);
        let gone: Vec<PathBuf> =
            from.take_while(|watched| watched.starts_with(folder)).cloned().collect();
        for folder in &gone {
            self.watched.remove(folder);
        }
    }

    /// Waits until there are no more changes.
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
