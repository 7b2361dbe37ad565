//! Composer, the package manager of PHP: which namespaces belong to the project.

use serde_json::Value;

use super::Project;

impl Project {
    /// The namespaces that the nearest `composer.json`, in the file's folder or above it, maps to
    /// folders; `None` if there is no manifest.
    pub(crate) fn php_namespaces(&self, file: &str) -> Option<Vec<String>> {
        let file = self.relative(file)?;
        let mut folder = file.as_str();
        loop {
            folder = folder.rsplit_once('/').map_or("", |(above, _)| above);
            let slash = if folder.is_empty() { "" } else { "/" };
            let manifest = format!("{folder}{slash}composer.json");
            if let Some(names) = self.read(&manifest).and_then(|text| mapped(&text)) {
                return Some(names);
            }
            if folder.is_empty() {
                return None;
            }
        }
    }
}

fn mapped(manifest: &str) -> Option<Vec<String>> {
    let manifest: Value = serde_json::from_str(manifest).ok()?;
    let mut names = Vec::new();
    for section in ["autoload", "autoload-dev"] {
        for standard in ["psr-4", "psr-0"] {
            let map = manifest.get(section).and_then(|section| section.get(standard));
            let keys = map.and_then(Value::as_object).into_iter().flat_map(|map| map.keys());
            names.extend(keys.map(|name| name.trim_end_matches('\\').to_owned()));
        }
    }
    names.retain(|name| !name.is_empty());
    Some(names)
}

impl Project {
    /// Whether an included file is next to the including file or at the root.
    pub(crate) fn has_php(&self, file: &str, path: &str) -> bool {
        let Some(file) = self.relative(file) else { return false };
        let next_to = file.rsplit_once('/').map_or("", |(folder, _)| folder);
        self.has(format!("{next_to}/{path}").trim_start_matches('/')) || self.has(path)
    }
}
