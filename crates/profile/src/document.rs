//! Profiles as documents: the source with its spans, and the typed profile.

use deed_canon::{CanonError, ContentHash, hash, to_canonical};
use deed_detect::sensitive_ranges;
use deed_diag::{Diagnostic, Document, Format, Place, Report, codes};
use deed_model::{ExecutionProfile, PROFILE_TAG, ProfileRef};
use serde::Deserialize;

/// A profile that could be parsed. Whether it is a valid one is decided by [`lint`](crate::lint).
#[derive(Debug, Clone)]
pub struct ProfileFile {
    /// The document. Secrets in it are concealed in everything that is shown of it.
    pub document: Document,
    typed: Result<ExecutionProfile, String>,
}

impl ProfileFile {
    /// Parses a profile.
    ///
    /// # Errors
    /// A report with the reason, if the bytes are not a document.
    ///
    /// ```
    /// use deed_profile::ProfileFile;
    ///
    /// let file = ProfileFile::read("profile.yaml", b"profile_id: team\nversion: 1.0.0\n").unwrap();
    /// assert_eq!(file.profile_ref().unwrap().to_string(), "team@1.0.0");
    /// ```
    pub fn read(name: &str, bytes: &[u8]) -> Result<Self, Report> {
        let document = Document::read_with(name, bytes, Format::of_name(name), sensitive_ranges)?;
        let typed = ExecutionProfile::deserialize(document.value()).map_err(|error| error.to_string());
        Ok(Self { document, typed })
    }

    /// Returns the typed profile, if the document has the shape of one.
    pub fn profile(&self) -> Option<&ExecutionProfile> {
        self.typed.as_ref().ok()
    }

    /// Returns the reason why the document does not have the shape of a profile.
    pub(crate) fn fault(&self) -> Option<&str> {
        self.typed.as_ref().err().map(String::as_str)
    }

    /// Returns the profile's reference, if its id and its version make one.
    pub fn profile_ref(&self) -> Option<ProfileRef> {
        let profile = self.profile()?;
        ProfileRef::of(&profile.profile_id, &profile.version).ok()
    }

    /// Computes the hash of the authored document.
    ///
    /// # Errors
    /// The document has no canonical form.
    pub fn content_hash(&self) -> Result<ContentHash, CanonError> {
        hash(&PROFILE_TAG, self.document.value())
    }

    /// Returns the canonical bytes of the authored document.
    ///
    /// # Errors
    /// The document has no canonical form.
    pub fn canonical_bytes(&self) -> Result<Vec<u8>, CanonError> {
        to_canonical(self.document.value())
    }

    /// Returns an empty report that can show the source.
    pub fn report(&self) -> Report {
        let mut report = Report::default();
        report.add_source(self.document.source().clone());
        report
    }

    /// Returns the place of a JSON Pointer.
    pub(crate) fn place(&self, pointer: &str) -> Place {
        self.document.place(pointer)
    }

    /// Returns the refusal of an operation that needs a valid profile.
    pub(crate) fn not_a_profile(&self) -> Diagnostic {
        let why = self.fault().unwrap_or("its id and its version do not make a reference");
        Diagnostic::error(codes::NOT_A_PROFILE, format!("the document is not a profile: {why}"))
            .stage("profile")
            .at(self.place(""))
            .help("run `deed profile lint` on it: it names every fault with its place")
    }
}
