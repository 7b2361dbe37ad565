//! The files of a root with their symbols, as they are while one question is answered.

use std::{collections::BTreeMap, path::Path, sync::Arc};

use base::text::{folder::Folder, read};
use map::language::Language;
use sha2::{Digest as _, Sha256};

use super::{meaning::Place, modules, names::Names};
use crate::{
    rows::{self, ContentKey},
    settings::Settings,
    store::Store,
    symbols::{Symbols, decode},
    sync::Library,
};

/// The files, and what was read of them for this question.
#[derive(Debug)]
pub struct Files<'a> {
    store: &'a Store,
    settings: &'a Settings,
    folder: &'a Folder,
    /// The current files of the root.
    pub library: &'a Library,
    symbols: BTreeMap<ContentKey, Option<Arc<Symbols>>>,
    texts: BTreeMap<String, Option<Arc<str>>>,
    /// Which files have a name; read when it is first asked for.
    names: Option<Names>,
    /// The files that contain a name, by name.
    named: BTreeMap<String, Arc<[String]>>,
    /// The definitions of a name, by name.
    defined: BTreeMap<String, Arc<[Place]>>,
    /// The files that an import means, by the importing file and the module.
    modules: BTreeMap<(String, String), Arc<[String]>>,
    /// While one occurrence is resolved: the files whose wildcard imports are being searched for a
    /// name, or were searched without success, and how many steps were left.
    pub in_vain: BTreeMap<(String, String), usize>,
    /// How many names were resolved on the way to the one in question.
    pub steps: usize,
}

impl<'a> Files<'a> {
    /// The files for one question.
    pub fn new(
        store: &'a Store,
        settings: &'a Settings,
        folder: &'a Folder,
        library: &'a Library,
    ) -> Self {
        Self {
            store,
            settings,
            folder,
            library,
            symbols: BTreeMap::new(),
            texts: BTreeMap::new(),
            names: None,
            named: BTreeMap::new(),
            defined: BTreeMap::new(),
            modules: BTreeMap::new(),
            in_vain: BTreeMap::new(),
            steps: 0,
        }
    }

    /// The language of a file.
    pub fn language(&self, file: &str) -> Option<&'static Language> {
        self.library.files.get(file).map(|known| known.language)
    }

    /// The family of a file's language. Files of one family can use each other's names.
    pub fn family(&self, file: &str) -> &'static str {
        family(self.language(file).map_or("", |language| language.key))
    }

    /// The symbols of a file.
    pub fn symbols(&mut self, file: &str) -> Option<Arc<Symbols>> {
        let key = &self.library.files.get(file)?.key;
        if let Some(known) = self.symbols.get(key) {
            return known.clone();
        }
        let content = match self.library.unwritten.get(key) {
            Some(content) => Some(content.clone()),
            // A row that cannot be read counts as missing.
            None => rows::content(self.store.reader(), key).ok().flatten(),
        };
        let symbols = content.as_ref().and_then(decode).map(Arc::new);
        self.symbols.insert(key.clone(), symbols.clone());
        symbols
    }

    /// The text of a file, if it still has the bytes that its symbols were extracted from.
    pub fn text(&mut self, file: &str) -> Option<Arc<str>> {
        if let Some(known) = self.texts.get(file) {
            return known.clone();
        }
        let read = || {
            let key = &self.library.files.get(file)?.key;
            let bytes =
                self.folder.exact_bytes(Path::new(file), self.settings.max_file_size).ok()?;
            let is_same = Sha256::digest(&bytes).as_slice() == key.sha256;
            is_same.then(|| read::text(bytes).ok()).flatten()
        };
        let text = read().map(Arc::from);
        self.texts.insert(file.to_owned(), text.clone());
        text
    }

    fn names(&mut self) -> &Names {
        self.names.get_or_insert_with(|| Names::read(self.store, self.library))
    }

    /// The files that contain an identifier, sorted.
    pub fn with_name(&mut self, name: &str) -> Arc<[String]> {
        if let Some(known) = self.named.get(name) {
            return Arc::clone(known);
        }
        let files = self.names().files(name);
        self.named.insert(name.to_owned(), Arc::clone(&files));
        files
    }

    /// The files that a module means in an import of a file.
    pub fn module(&mut self, file: &str, module: &str) -> Arc<[String]> {
        let key = (file.to_owned(), module.to_owned());
        if let Some(known) = self.modules.get(&key) {
            return Arc::clone(known);
        }
        let files = modules::files(self.library, self.family(file), file, module);
        let files: Arc<[String]> = files.into();
        self.modules.insert(key, Arc::clone(&files));
        files
    }

    /// The definitions of a name that other files can see, in the order of the files.
    pub fn definitions(&mut self, name: &str) -> Arc<[Place]> {
        if let Some(known) = self.defined.get(name) {
            return Arc::clone(known);
        }
        let mut places = Vec::new();
        for file in self.names().defining(name).iter() {
            let Some(symbols) = self.symbols(file) else { continue };
            let place = |(number, _)| Place { file: file.clone(), definition: Some(number) };
            places.extend(symbols.named(name).map(place));
        }
        let places: Arc<[Place]> = places.into();
        self.defined.insert(name.to_owned(), Arc::clone(&places));
        places
    }
}

/// The family of a language. Languages whose files can use each other's names share one.
pub fn family(key: &str) -> &'static str {
    match key {
        "c" | "cpp" | "objc" | "cuda" | "arduino" => "c",
        "javascript" | "typescript" | "tsx" => "ecmascript",
        "ocaml" | "ocaml_interface" => "ocaml",
        "csharp" | "c_sharp" => "csharp",
        key => map::language::registry().by_key(key).map_or("", |language| language.key),
    }
}
