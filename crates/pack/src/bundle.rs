//! A pack folder as it was read: the pack, its overlays, its golden cases.

use crate::gates::security;
use crate::sensitive::{self, Sensitive};
use deed_canon::{CanonError, ContentHash, Span, hash};
use deed_detect::{PersonalKind, SecretScanner, scan_personal};
use deed_diag::{Code, Diagnostic, Document, Format, Report};
use deed_model::{CONTEXT_PACK_TAG, ContextPack, OVERLAY_TAG, PackRef};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;

const NO_CANONICAL_FORM: Code = Code::new("D0109");

/// A file's name, as it should be shown, and its bytes.
#[derive(Clone)]
pub struct SourceFile {
    /// Name, usually a path.
    pub name: String,
    /// Content.
    pub bytes: Vec<u8>,
}

// The name alone: the bytes may hold what must not be shown.
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

/// A pack folder whose documents could all be read.
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

/// The bytes of a text that must not be shown to anybody: secrets, and what belongs to people.
pub fn conceal_secrets(text: &str) -> Vec<Span> {
    let secrets = SecretScanner::standard().scan(text);
    let kinds: Vec<PersonalKind> = PersonalKind::ALL.into_iter().filter(|k| *k != PersonalKind::ApiKey).collect();
    let personal = scan_personal(text, &kinds);
    secrets.into_iter().chain(personal).map(|f| Span::new(f.range.start, f.range.end)).collect()
}

/// Reads a document. What could be read is inspected as a whole afterwards; only what could not is searched
/// here, so that the fault can be shown.
fn read(file: &SourceFile) -> Result<Document, Report> {
    let format = Format::of_name(&file.name);
    Document::read(&file.name, &file.bytes, format)
        .or_else(|_| Document::read_with(&file.name, &file.bytes, format, conceal_secrets))
}

/// Whether made-up personal data may stand in a document.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PersonalData {
    Refused,
    /// Golden cases: that is how redaction is tested.
    Allowed,
}

/// Finds what must not be shown, and conceals it.
fn inspect(document: &mut Document, personal: PersonalData, found: &mut Findings) {
    let secrets = sensitive::secrets(document);
    let personal = match personal {
        PersonalData::Refused => sensitive::personal(document),
        PersonalData::Allowed => Vec::new(),
    };
    for item in secrets.iter().chain(&personal) {
        document.conceal(item.span, item.text.clone());
    }
    found.secrets.extend(secrets);
    found.personal.extend(personal);
}

/// What must not be shown, over all documents of a bundle.
#[derive(Debug, Clone, Default)]
pub(crate) struct Findings {
    /// Credentials.
    pub(crate) secrets: Vec<Sensitive>,
    /// Facts about people.
    pub(crate) personal: Vec<Sensitive>,
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
            Some(document) if !faults.has_errors() => Ok(Self::new(document, overlays, golden)),
            Some(_) | None => Err(faults),
        }
    }

    /// A bundle of documents. What must not be shown of them is concealed from here on.
    pub fn new(mut document: Document, mut overlays: BTreeMap<String, Document>, mut golden: Vec<Document>) -> Self {
        let mut findings = Findings::default();
        inspect(&mut document, PersonalData::Refused, &mut findings);
        overlays.values_mut().for_each(|d| inspect(d, PersonalData::Refused, &mut findings));
        golden.iter_mut().for_each(|d| inspect(d, PersonalData::Allowed, &mut findings));
        Self { document, overlays, golden, findings }
    }

    /// A bundle of one document, without overlays or golden cases.
    pub fn of_document(document: Document) -> Self {
        Self::new(document, BTreeMap::new(), Vec::new())
    }

    /// A report that can show every source of the bundle.
    pub fn report(&self) -> Report {
        let mut report = Report::default();
        report.add_source(self.document.source().clone());
        self.overlays.values().chain(&self.golden).for_each(|d| report.add_source(d.source().clone()));
        report
    }

    /// A report of every secret in the bundle, or nothing where there is none. A bundle that holds one must
    /// not be printed.
    pub fn secrets(&self) -> Option<Report> {
        let mut report = self.report();
        security::secret_findings(self).into_iter().for_each(|d| report.push(d.stage("security")));
        report.has_errors().then_some(report)
    }

    /// The typed pack, or nothing where the document does not have the shape of one.
    pub fn typed(&self) -> Option<ContextPack> {
        self.read_typed().ok()
    }

    /// The typed pack, or why there is none.
    pub(crate) fn read_typed(&self) -> Result<ContextPack, serde_json::Error> {
        ContextPack::deserialize(self.document.value())
    }

    /// The pack by name and hash, or nothing where the document does not have the shape of a pack.
    pub fn draft(&self) -> Option<Draft> {
        self.draft_of(self.typed()?)
    }

    /// The same for a pack that was typed already.
    pub(crate) fn draft_of(&self, pack: ContextPack) -> Option<Draft> {
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
    pub(crate) fn canon_diagnostic(&self, error: &CanonError) -> Diagnostic {
        Diagnostic::error(NO_CANONICAL_FORM, error.to_string()).stage("canon").at(self.document.place(""))
    }
}
