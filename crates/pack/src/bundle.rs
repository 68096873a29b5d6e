//! A pack folder in memory: the pack, its overlays, its golden cases.

use crate::gates::security;
use crate::sensitive::{self, Sensitive};
use deed_canon::{CanonError, ContentHash, hash};
use deed_detect::sensitive_ranges;
use deed_diag::{Diagnostic, Document, Format, Report, codes};
use deed_model::{CONTEXT_PACK_TAG, ContextPack, OVERLAY_TAG, PackRef};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;

/// A file's display name and its bytes.
#[derive(Clone)]
pub struct SourceFile {
    /// Name, usually a path.
    pub name: String,
    /// Content.
    pub bytes: Vec<u8>,
}

// Only the name: the bytes may hold secrets.
impl fmt::Debug for SourceFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SourceFile({})", self.name)
    }
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

/// A pack folder whose documents could all be parsed.
#[derive(Debug, Clone)]
pub struct Bundle {
    /// The pack.
    pub document: Document,
    /// Its overlays, by name.
    pub overlays: BTreeMap<String, Document>,
    /// Its golden cases.
    pub golden: Vec<Document>,
    pub(crate) findings: Findings,
}

/// A typed pack with its reference and hash.
#[derive(Debug, Clone)]
pub struct Draft {
    /// The typed pack.
    pub pack: ContextPack,
    /// Its reference.
    pub pack_ref: PackRef,
    /// Typed hash of the authored document.
    pub content_hash: ContentHash,
}

/// Parses a document. A parsed document is inspected as a whole afterwards; one that cannot be parsed is searched for
/// secrets here, so that the error can be shown.
fn read(file: &SourceFile) -> Result<Document, Report> {
    let format = Format::of_name(&file.name);
    Document::read(&file.name, &file.bytes, format)
        .or_else(|_| Document::read_with(&file.name, &file.bytes, format, sensitive_ranges))
}

/// Policy for personal data in a document.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PersonalData {
    Refused,
    /// Golden cases may hold made-up personal data, to test redaction.
    Allowed,
}

/// Finds secrets and personal data, and conceals them.
fn inspect(document: &mut Document, personal: PersonalData, found: &mut Findings) {
    let secrets = sensitive::secrets(document);
    let personal = match personal {
        PersonalData::Refused => sensitive::personal(document),
        PersonalData::Allowed => Vec::new(),
    };
    for item in secrets.iter().chain(&personal) {
        document.conceal(item.span, &item.texts);
    }
    found.secrets.extend(secrets);
    found.personal.extend(personal);
}

/// Secrets and personal data of all documents of a bundle.
#[derive(Debug, Clone, Default)]
pub(crate) struct Findings {
    /// Credentials.
    pub(crate) secrets: Vec<Sensitive>,
    /// Personal data.
    pub(crate) personal: Vec<Sensitive>,
}

/// Returns the name of a golden case: its file without folders and extension.
pub(crate) fn golden_name(case: &Document) -> &str {
    let name = case.source().name();
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}

impl Bundle {
    /// Parses every document of a folder.
    ///
    /// # Errors
    /// A report with an error for each document that cannot be parsed.
    ///
    /// ```
    /// use deed_pack::{Bundle, PackFiles, SourceFile, lint};
    ///
    /// let pack = SourceFile { name: "pack.yaml".to_owned(), bytes: b"pack_meta: {}".to_vec() };
    /// let files = PackFiles { pack, overlays: Default::default(), golden: Vec::new() };
    /// let bundle = Bundle::read(&files).unwrap();
    /// assert!(!lint(&bundle).passed());
    /// ```
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
            Some(document) if !faults.has_errors() => Ok(Self::new(document, overlays, golden)),
            Some(_) | None => Err(faults),
        }
    }

    /// Creates a bundle of documents, and conceals their secrets and personal data.
    pub fn new(mut document: Document, mut overlays: BTreeMap<String, Document>, mut golden: Vec<Document>) -> Self {
        let mut findings = Findings::default();
        inspect(&mut document, PersonalData::Refused, &mut findings);
        overlays.values_mut().for_each(|d| inspect(d, PersonalData::Refused, &mut findings));
        golden.iter_mut().for_each(|d| inspect(d, PersonalData::Allowed, &mut findings));
        Self { document, overlays, golden, findings }
    }

    /// Creates a bundle of one document, without overlays or golden cases.
    pub fn of_document(document: Document) -> Self {
        Self::new(document, BTreeMap::new(), Vec::new())
    }

    /// Returns an empty report that can show every source of the bundle.
    pub fn report(&self) -> Report {
        let mut report = Report::default();
        report.add_source(self.document.source().clone());
        self.overlays.values().chain(&self.golden).for_each(|d| report.add_source(d.source().clone()));
        report
    }

    /// Returns the golden cases by name, which is the stem of their file.
    pub fn golden_cases(&self) -> Vec<(String, Value)> {
        self.golden.iter().map(|case| (golden_name(case).to_owned(), case.value().clone())).collect()
    }

    /// Returns a report of every secret in the bundle, or `None` if there is none. A bundle that holds a secret must
    /// not be printed.
    pub fn secrets(&self) -> Option<Report> {
        let mut report = self.report();
        security::secret_findings(self).into_iter().for_each(|d| report.push(d.stage("security")));
        report.has_errors().then_some(report)
    }

    /// Returns the typed pack, or `None` if the document does not have the shape of one.
    pub fn typed(&self) -> Option<ContextPack> {
        self.read_typed().ok()
    }

    /// Returns the typed pack, or the reason why the document is not one.
    pub(crate) fn read_typed(&self) -> Result<ContextPack, serde_json::Error> {
        ContextPack::deserialize(self.document.value())
    }

    /// Returns the pack with its reference and hash, or `None` if the document does not have the shape of a pack.
    pub fn draft(&self) -> Option<Draft> {
        self.draft_of(self.typed()?)
    }

    /// Returns the reference and hash of a typed pack.
    pub(crate) fn draft_of(&self, pack: ContextPack) -> Option<Draft> {
        let pack_ref = PackRef::of(&pack.pack_meta.pack_id, &pack.pack_meta.pack_version).ok()?;
        let content_hash = self.content_hash().ok()?;
        Some(Draft { pack, pack_ref, content_hash })
    }

    /// Computes the typed hash of the pack's document.
    ///
    /// # Errors
    /// If the document has no canonical form.
    pub fn content_hash(&self) -> Result<ContentHash, CanonError> {
        hash(&CONTEXT_PACK_TAG, self.document.value())
    }

    /// Computes the typed hash of an overlay's document.
    ///
    /// # Errors
    /// If the document has no canonical form.
    pub fn overlay_hash(document: &Document) -> Result<ContentHash, CanonError> {
        hash(&OVERLAY_TAG, document.value())
    }

    /// Returns the diagnostic for a document without a canonical form.
    pub(crate) fn canon_diagnostic(&self, error: &CanonError) -> Diagnostic {
        Diagnostic::error(codes::NO_CANONICAL_FORM, error.to_string()).stage("canon").at(self.document.place(""))
    }
}
