//! A pack folder as it was read: the pack, its overlays, its golden cases.

use crate::gates::security::walk;
use deed_canon::{CanonError, ContentHash, Span, hash};
use deed_detect::SecretScanner;
use deed_diag::{Code, Diagnostic, Document, Format, Report};
use deed_model::{CONTEXT_PACK_TAG, ContextPack, OVERLAY_TAG, PackRef};
use std::collections::BTreeMap;

const NO_CANONICAL_FORM: Code = Code::new("D0109");

/// A file's name, as it should be shown, and its bytes.
#[derive(Debug, Clone)]
pub struct SourceFile {
    /// Name, usually a path.
    pub name: String,
    /// Content.
    pub bytes: Vec<u8>,
}

/// The files of a pack folder.
#[derive(Debug, Clone)]
pub struct PackFiles {
    /// `pack.yaml` or `pack.json`.
    pub pack: SourceFile,
    /// `overlays/<name>.yaml` or `.json`, by name.
    pub overlays: BTreeMap<String, SourceFile>,
    /// `golden/*.yaml` or `.json`.
    pub golden: Vec<SourceFile>,
}

/// A pack folder whose documents could all be read.
#[derive(Debug, Clone)]
pub struct Bundle {
    /// The pack.
    pub document: Document,
    /// Its overlays, by name.
    pub overlays: BTreeMap<String, Document>,
    /// Its golden cases.
    pub golden: Vec<Document>,
}

/// A pack that has the shape of a pack: typed, named and hashed.
#[derive(Debug, Clone)]
pub struct Draft {
    /// The typed pack.
    pub pack: ContextPack,
    /// Its reference.
    pub pack_ref: PackRef,
    /// Typed hash of the authored document.
    pub content_hash: ContentHash,
}

/// The bytes of a text that must not be shown to anybody.
pub fn conceal_secrets(text: &str) -> Vec<Span> {
    SecretScanner::standard().scan(text).into_iter().map(|f| Span::new(f.range.start, f.range.end)).collect()
}

/// Reads a document and conceals every secret in it, also those that only their key gives away.
fn read(file: &SourceFile) -> Result<Document, Report> {
    let mut document = Document::read_with(&file.name, &file.bytes, Format::of_name(&file.name), conceal_secrets)?;
    let scanner = SecretScanner::standard();
    let mut hidden: Vec<(Span, String)> = Vec::new();
    walk(document.tree(), "", None, &mut |_, key, text, span| {
        if !scanner.scan_value(key, text).is_empty() {
            hidden.push((span, text.to_owned()));
        }
    });
    for (span, text) in hidden {
        document.conceal(span, text);
    }
    Ok(document)
}

impl Bundle {
    /// Reads every document of a folder and reports all that cannot be read.
    pub fn read(files: &PackFiles) -> Result<Self, Report> {
        let mut faults = Report::default();
        let mut keep = |result: Result<Document, Report>| result.map_err(|report| faults.merge(report)).ok();
        let document = keep(read(&files.pack));
        let overlays = files
            .overlays
            .iter()
            .filter_map(|(name, file)| keep(read(file)).map(|document| (name.clone(), document)))
            .collect();
        let golden = files.golden.iter().filter_map(|file| keep(read(file))).collect();
        match document {
            Some(document) if !faults.has_errors() => Ok(Self { document, overlays, golden }),
            Some(_) | None => Err(faults),
        }
    }

    /// A bundle of one document, without overlays or golden cases.
    pub fn of_document(document: Document) -> Self {
        Self { document, overlays: BTreeMap::new(), golden: Vec::new() }
    }

    /// A report that can show every source of the bundle.
    pub fn report(&self) -> Report {
        let mut report = Report::default();
        report.add_source(self.document.source().clone());
        self.overlays.values().chain(&self.golden).for_each(|d| report.add_source(d.source().clone()));
        report
    }

    /// The typed pack, or nothing where the document does not have the shape of one.
    pub fn typed(&self) -> Option<ContextPack> {
        serde_json::from_value(self.document.value().clone()).ok()
    }

    /// The pack by name and hash, or nothing where the document does not have the shape of a pack.
    pub fn draft(&self) -> Option<Draft> {
        let pack = self.typed()?;
        let pack_ref = PackRef::of(&pack.pack_meta.pack_id, &pack.pack_meta.pack_version).ok()?;
        let content_hash = self.content_hash().ok()?;
        Some(Draft { pack, pack_ref, content_hash })
    }

    /// Typed hash of the pack's document.
    pub fn content_hash(&self) -> Result<ContentHash, CanonError> {
        hash(&CONTEXT_PACK_TAG, self.document.value())
    }

    /// Typed hash of an overlay's document.
    pub fn overlay_hash(document: &Document) -> Result<ContentHash, CanonError> {
        hash(&OVERLAY_TAG, document.value())
    }

    /// The diagnostic for a document that was read but has no canonical form.
    pub fn canon_diagnostic(&self, error: &CanonError) -> Diagnostic {
        Diagnostic::error(NO_CANONICAL_FORM, error.to_string()).stage("canon").at(self.document.place(""))
    }
}
