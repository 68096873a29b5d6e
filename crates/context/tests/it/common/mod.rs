//! Packs and inputs for tests.

pub(crate) mod archive;
pub(crate) mod edits;
pub(crate) mod random;

use deed_context::{Evidence, Hydrated, Inputs, Memory, ReadInput, Request, Run, tokenizer};
use deed_diag::{Document, Format};
use deed_pack::{Bundle, PackFiles, Selection, SourceFile, resolve};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A document of the repository.
pub(crate) fn document(path: &str) -> Document {
    let bytes = std::fs::read(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"));
    Document::read(path, &bytes, Format::of_name(path)).unwrap_or_else(|r| panic!("{path}: {r:?}"))
}

/// A pack folder of the repository.
pub(crate) fn bundle(folder: &str) -> Bundle {
    let source = |path: &Path| SourceFile { name: path.display().to_string(), bytes: std::fs::read(path).unwrap() };
    let folder = root().join(folder);
    let list = |name: &str| {
        let mut paths: Vec<PathBuf> =
            std::fs::read_dir(folder.join(name)).map(|d| d.map(|e| e.unwrap().path()).collect()).unwrap_or_default();
        paths.sort();
        paths
    };
    let stem = |path: &Path| path.file_stem().unwrap().to_string_lossy().into_owned();
    let overlays = list("overlays").iter().map(|path| (stem(path), source(path))).collect();
    let golden = list("golden").iter().map(|path| source(path)).collect();
    Bundle::read(&PackFiles { pack: source(&folder.join("pack.yaml")), overlays, golden }).unwrap()
}

/// A pack with some of its overlays, ready to compile.
pub(crate) fn hydrated(bundle: &Bundle, overlays: &[&str]) -> Hydrated {
    let names = overlays.iter().map(|name| (*name).to_owned()).collect();
    let resolved = resolve(bundle, &bundle.typed().unwrap(), &Selection::Named(names)).unwrap();
    Hydrated::new(&resolved, tokenizer("o200k_base").unwrap()).unwrap()
}

/// Everything that a compile reads besides the pack.
#[derive(Debug, Clone)]
pub(crate) struct Given {
    pub(crate) request: Request,
    pub(crate) run: Run,
    pub(crate) evidence: Evidence,
    pub(crate) memory: Memory,
}

impl Given {
    pub(crate) fn of(request: Value, run: Value, evidence: Value, memory: Value) -> Self {
        Self {
            request: Request::from_value(request).unwrap(),
            run: Run::from_value(run).unwrap(),
            evidence: Evidence::from_value(evidence).unwrap(),
            memory: Memory::from_value(memory).unwrap(),
        }
    }

    pub(crate) fn inputs(&self) -> Inputs<'_> {
        Inputs { request: &self.request, run: &self.run, evidence: &self.evidence, memory: &self.memory }
    }
}
