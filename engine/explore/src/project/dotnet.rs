//! .NET: namespaces of the projects below the root.

use std::collections::BTreeSet;

use super::Project;

/// The names of project files, and the root namespaces and assembly names in them.
pub fn namespaces(project: &Project) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for file in project.find_by(|name| name.ends_with(".csproj")) {
        let base = file.rsplit('/').next().unwrap_or_default();
        names.extend(base.strip_suffix(".csproj").map(str::to_owned));
        let text = project.read(&file).unwrap_or_default();
        for tag in ["RootNamespace", "AssemblyName"] {
            let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
            names.extend(text.split(open.as_str()).skip(1).filter_map(|rest| {
                let value = rest.split(close.as_str()).next()?.trim();
                let plain = |sign: char| sign.is_ascii_alphanumeric() || "_.".contains(sign);
                (!value.is_empty() && value.chars().all(plain)).then(|| value.to_owned())
            }));
        }
    }
    names
}
