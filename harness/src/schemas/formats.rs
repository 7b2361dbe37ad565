//! The schemas of the facts that `parity explore --json` has about files of a format. They belong to the
//! protocol in force.

/// One schema of the protocol in force.
macro_rules! schema {
    ($format:literal) => {
        (
            concat!("explore_", $format),
            include_str!(concat!(
                "../../../protocols/",
                env!("PROTOCOL"),
                "/schemas/explore/",
                $format,
                ".json"
            )),
        )
    };
}

/// Names and schema texts.
pub const FORMATS: [(&str, &str); 15] = [
    schema!("archive"),
    schema!("csv"),
    schema!("executable"),
    schema!("html"),
    schema!("image"),
    schema!("ini"),
    schema!("json"),
    schema!("latex"),
    schema!("log"),
    schema!("markdown"),
    schema!("pdf"),
    schema!("sqlite"),
    schema!("toml"),
    schema!("xml"),
    schema!("yaml"),
];

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs, path::Path};

    use super::FORMATS;

    #[test]
    fn every_schema_of_the_protocol_is_there() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("..")
            .join(record::protocol::FOLDER)
            .join("schemas/explore");
        let files: BTreeSet<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        let known = FORMATS.map(|(name, _)| name.replace("explore_", "") + ".json");
        assert_eq!(BTreeSet::from(known), files);
    }
}
