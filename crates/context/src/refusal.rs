//! Why a compile could not be made.

use deed_diag::{Code, Diagnostic, Place};
use deed_model::Stage;
use std::borrow::Cow;

/// Every code with which a compile refuses.
pub(crate) mod codes {
    use deed_diag::Code;

    pub(crate) const NO_REF: Code = Code::new("D1501");
    pub(crate) const OTHER_PACK: Code = Code::new("D1502");
    pub(crate) const NOT_ITS_OVERLAY: Code = Code::new("D1503");
    pub(crate) const OTHER_TENANT: Code = Code::new("D1504");
    pub(crate) const INCOMPATIBLE: Code = Code::new("D1505");
    pub(crate) const NO_ONTOLOGY: Code = Code::new("D1506");
    pub(crate) const NO_AS_OF: Code = Code::new("D1507");
    pub(crate) const UNKNOWN_TOKENIZER: Code = Code::new("D1508");
    pub(crate) const UNUSABLE_PACK: Code = Code::new("D1509");
    pub(crate) const INPUT_SHAPE: Code = Code::new("D1510");
    pub(crate) const UNKNOWN_INTENT: Code = Code::new("D1511");
    pub(crate) const INTENT_MISMATCH: Code = Code::new("D1512");
    pub(crate) const NO_SNAPSHOT: Code = Code::new("D1513");
    pub(crate) const HEAD_TOO_LARGE: Code = Code::new("D1514");
    pub(crate) const POLICY_TOO_LARGE: Code = Code::new("D1515");
    pub(crate) const UNKNOWN_BUCKET: Code = Code::new("D1516");
    pub(crate) const NO_CANONICAL_FORM: Code = Code::new("D1517");
    pub(crate) const BUNDLE_FORMAT: Code = Code::new("D1526");
    pub(crate) const TAMPERED: Code = Code::new("D1534");
    pub(crate) const TOO_MUCH: Code = Code::new("D1518");
}

/// Codes of what a compile notes in its ledger.
pub(crate) mod notices {
    use deed_diag::Code;

    pub(crate) const ONTOLOGY_ASSUMED: Code = Code::new("D1520");
    pub(crate) const RULE_SKIPPED: Code = Code::new("D1521");
    pub(crate) const MODE_CLAMPED: Code = Code::new("D1522");
    pub(crate) const CAPABILITY_CLAMPED: Code = Code::new("D1523");
    pub(crate) const CONTROL_FAILED: Code = Code::new("D1524");
    pub(crate) const GATE_UNKNOWN: Code = Code::new("D1525");
    pub(crate) const PROHIBITS_NOTHING: Code = Code::new("D1537");
    pub(crate) const FORBIDS_NOTHING: Code = Code::new("D1538");
}

/// A compile that could not be made: what stands against it, and how far it came.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// What stands against it.
    pub diagnostic: Box<Diagnostic>,
    /// The stage that refused; nothing where it was refused before the first.
    pub stage: Option<Stage>,
}

impl Refusal {
    /// A refusal before the first stage.
    pub(crate) fn before(code: Code, message: impl Into<String>) -> Self {
        let diagnostic = Diagnostic::error(code, message).stage("resolve");
        Self { diagnostic: Box::new(diagnostic), stage: None }
    }

    /// A refusal by a stage.
    pub(crate) fn at(stage: Stage, code: Code, message: impl Into<String>) -> Self {
        let diagnostic = Diagnostic::error(code, message).stage(Cow::Borrowed(stage.as_str()));
        Self { diagnostic: Box::new(diagnostic), stage: Some(stage) }
    }

    /// The way out.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.diagnostic.help = Some(help.into());
        self
    }

    /// Where: an input by name and a JSON Pointer into it.
    pub(crate) fn place(mut self, source: &str, pointer: &str) -> Self {
        let pointer = (!pointer.is_empty()).then(|| pointer.to_owned());
        let place = Place { source: source.to_owned(), pointer, span: None };
        self.diagnostic.place = Some(place);
        self
    }
}
