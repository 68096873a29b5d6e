//! One thing that is wrong with a filled template.

use deed_diag::{Code, Diagnostic, Document};

/// A token that must be filled is still there.
pub(super) const UNFILLED: Code = Code::new("D1610");
/// A place that the system supplies was written to.
pub(super) const NOT_YOURS: Code = Code::new("D1611");
/// A value that the system must supply was not supplied.
pub(super) const NOT_SUPPLIED: Code = Code::new("D1612");
/// A value was supplied for a place that takes none.
pub(super) const SUPPLIED_NOWHERE: Code = Code::new("D1613");
/// A text begins like a token and is none.
pub(super) const MALFORMED_TOKEN: Code = Code::new("D1614");
/// A union, a condition or a key of the template was not replaced by what was chosen.
pub(super) const NOT_CHOSEN: Code = Code::new("D1615");
/// Two keys of a filled template are one key of the payload.
pub(super) const SAME_KEY: Code = Code::new("D1616");
pub(super) const MISSING: Code = Code::new("D1620");
pub(super) const UNKNOWN_KEY: Code = Code::new("D1621");
pub(super) const WRONG_TYPE: Code = Code::new("D1622");
pub(super) const NOT_ALLOWED: Code = Code::new("D1623");
pub(super) const OUT_OF_RANGE: Code = Code::new("D1624");
pub(super) const BAD_FORM: Code = Code::new("D1625");
pub(super) const NO_VARIANT: Code = Code::new("D1626");
pub(super) const RULED_OUT: Code = Code::new("D1627");
/// The schema cannot be used to judge a payload.
pub(super) const NO_VALIDATOR: Code = Code::new("D1628");

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Its stable code.
    pub code: Code,
    /// The JSON pointer of the place in the filled template.
    pub pointer: String,
    /// What is wrong: lowercase, no final stop.
    pub message: String,
    /// The way out.
    pub help: Option<String>,
}

impl Finding {
    pub(super) fn new(code: Code, pointer: String, message: impl Into<String>) -> Self {
        Self { code, pointer, message: message.into(), help: None }
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The finding with its place in the document that was filled in.
    pub fn diagnostic(&self, document: &Document) -> Diagnostic {
        let place =
            if self.code == UNKNOWN_KEY { document.key_place(&self.pointer) } else { document.place(&self.pointer) };
        Diagnostic::error(self.code, self.message.clone()).stage("lower").at(place).help_opt(self.help.clone())
    }
}
