//! Wheels in the store that machines share: an index is asked once for each store.
//!
//! An environment cannot be moved, and its byte code belongs to an interpreter. So the store has the wheels, and each
//! machine makes the environment of them, as of downloaded ones: the lock says which wheels may be used.

use std::{env::consts, time::Instant};

use super::{Environment, EnvironmentError, Environments, io_error, wait_for_lock, wheels};
use crate::{comparator::python, corpus::disk, shared::Kind};

impl Environments<'_> {
    /// The environment, made of the wheels of the store if it is not there; absent if there is no store, or if it does
    /// not have them. Nothing else is asked.
    ///
    /// # Errors
    /// There is no interpreter, or the environment cannot be made.
    pub fn from_shared(
        &self,
        progress: &mut dyn FnMut(&str),
    ) -> Result<Option<Environment>, EnvironmentError> {
        let Some(shared) = self.shared else { return Ok(None) };
        self.check_lock()?;
        if let Some(environment) = self.ready() {
            return Ok(Some(environment));
        }
        let install = &self.spec.definition.install;
        let base = python::find(install, self.python_override.as_deref(), false)?;
        let minor = base.minor();
        let folder = self.folder(&minor);
        let parent = folder.parent().unwrap_or(&self.cache);
        std::fs::create_dir_all(parent).map_err(|error| io_error("create", parent, error))?;
        let _lock = wait_for_lock(&folder.with_added_extension("lock"), progress)?;
        // The process that held the lock may have made it.
        if let Some(found) = self.finished(&folder) {
            return Ok((found.stamp.python_version == base.version).then_some(found));
        }
        let started = Instant::now();
        disk::fresh_dir(&folder)?;
        let place = folder.join(wheels::FOLDER);
        let requirements = self.spec.lock();
        let locked = std::fs::read_to_string(&requirements)
            .map_err(|error| io_error("read", &requirements, error))?;
        let is_usable = match shared.get_folder(Kind::Comparator, &self.key(&minor), &place) {
            Ok(true) => {
                wheels::digests(&place, &locked).map(|_| true).map_err(|error| error.to_string())
            }
            Ok(false) => Ok(false),
            Err(error) => Err(error.to_string()),
        };
        if let Err(why) = &is_usable {
            progress(&format!("warning: the wheels in {} were not used: {why}", shared.url()));
        }
        if !is_usable.unwrap_or(false) {
            disk::remove_tree(&folder)?;
            return Ok(None);
        }
        progress(&format!("making the environment of wheels in {}", shared.url()));
        self.assemble(&folder, &base, "store", started, progress).map(Some)
    }

    /// Puts the wheels of an environment into the store, if there is one. A failure is told and does no harm.
    pub(super) fn share(&self, environment: &Environment, progress: &mut dyn FnMut(&str)) {
        let Some(shared) = self.shared else { return };
        let version = environment.stamp.python_version.as_str();
        let minor = version.rsplit_once('.').map_or(version, |(minor, _)| minor);
        let place = environment.root.join(wheels::FOLDER);
        if let Err(error) = shared.put_folder(Kind::Comparator, &self.key(minor), &place) {
            progress(&format!("warning: the comparator's wheels are not shared: {error}"));
        }
    }

    /// Under which key the wheels are: those of one lock differ between interpreters and systems.
    fn key(&self, minor: &str) -> String {
        let definition = &self.spec.definition;
        let lock = &definition.install.lock_sha256;
        format!("{}-{lock}-py{minor}-{}-{}", definition.name, consts::OS, consts::ARCH)
    }
}
