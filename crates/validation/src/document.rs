//! Validation packs as documents: the source with its spans, and the typed pack.

use deed_detect::sensitive_ranges;
use deed_diag::{Diagnostic, Document, Format, Place, Report, codes};
use deed_model::{PromptRef, ValidationPack};
use serde::Deserialize;

/// A validation pack that could be parsed. Whether it can be used is decided by [`lint`](crate::lint).
#[derive(Debug, Clone)]
pub struct PackFile {
    /// The document. Secrets in it are concealed in everything that is shown of it.
    pub document: Document,
    typed: Result<ValidationPack, String>,
}

impl PackFile {
    /// Parses a pack.
    ///
    /// # Errors
    /// A report with the reason, if the bytes are not a document.
    ///
    /// ```
    /// use deed_validation::PackFile;
    ///
    /// let text = "pack_ref: valpack.acme.any@v1\nphases: [step_output]\n\
    ///             rules: [{ id: any, artifact_path: '*', read_as: bytes, checks: [not_empty] }]\n";
    /// let file = PackFile::read("any.yaml", text.as_bytes()).unwrap();
    /// assert_eq!(file.pack().unwrap().rules.len(), 1);
    /// ```
    pub fn read(name: &str, bytes: &[u8]) -> Result<Self, Report> {
        let document = Document::read_with(name, bytes, Format::of_name(name), sensitive_ranges)?;
        let typed = ValidationPack::deserialize(document.value()).map_err(|error| error.to_string());
        Ok(Self { document, typed })
    }

    /// Returns the typed pack, if the document has the shape of one.
    pub fn pack(&self) -> Option<&ValidationPack> {
        self.typed.as_ref().ok()
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

    /// Returns the refusal of an operation that needs a pack.
    pub(crate) fn not_a_pack(&self) -> Diagnostic {
        let why = self.typed.as_ref().err().map_or("its reference is none", String::as_str);
        Diagnostic::error(codes::NOT_A_VALIDATION_PACK, format!("the document is not a validation pack: {why}"))
            .at(self.place(""))
            .help("run `deed valpack lint` on it: it names every fault with its place")
    }
}

/// Returns true for `valpack.<namespace>.<name>@v<number>`.
pub(crate) fn is_pack_ref(text: &str) -> bool {
    text.parse::<PromptRef>().is_ok_and(|reference| {
        reference.version.is_some()
            && reference.prompt_id.strip_prefix("valpack.").is_some_and(|rest| rest.contains('.'))
    })
}
