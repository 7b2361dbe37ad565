//! Swift: which modules belong to the project.

use std::collections::BTreeSet;

use super::Project;

impl Project {
    /// Whether a target of the project's package manifests, or a folder of sources, has this name.
    pub(crate) fn has_swift_module(&self, name: &str) -> bool {
        ["Sources", "Tests"].iter().any(|folder| self.has(&format!("{folder}/{name}")))
            || self.swift.get_or_init(|| targets(self)).contains(name)
    }
}

/// Names of the targets in all package manifests, and of the pods with a specification in the
/// project.
fn targets(project: &Project) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for manifest in project.find("Package.swift") {
        let text = project.read(&manifest).unwrap_or_default();
        for opening in [".target(", ".testTarget(", ".executableTarget(", ".macro("] {
            names.extend(text.split(opening).skip(1).filter_map(|rest| {
                let (before, value) = rest.split_once("name:")?;
                let value = value.trim_start().strip_prefix('"')?;
                let name = value.split('"').next()?;
                before.trim().is_empty().then(|| name.to_owned())
            }));
        }
    }
    for pod in project.find_by(|name| name.ends_with(".podspec")) {
        let base = pod.rsplit('/').next().unwrap_or_default();
        names.extend(base.strip_suffix(".podspec").map(str::to_owned));
    }
    names
}
