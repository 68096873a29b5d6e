//! Copies of data that is classified RESTRICTED: exports, recordings and artifacts. The registry does not guard them, so
//! the caller says that they are meant.

use crate::error::AppError;
use deed_diag::{Diagnostic, codes};
use deed_model::Classification;
use serde::Deserialize as _;
use serde_json::Value;

/// The answer of the caller to a copy of RESTRICTED data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RestrictedCopies {
    /// It is refused.
    #[default]
    Refused,
    /// It is meant.
    Allowed,
}

/// Returns the classification of a pack.
pub(crate) fn of_pack(document: &Value) -> Result<Classification, AppError> {
    let level = document.pointer("/pack_meta/data_classification").unwrap_or(&Value::Null);
    Classification::deserialize(level).map_err(AppError::internal)
}

impl RestrictedCopies {
    /// Returns the answer that a flag of the caller gives.
    pub fn allowed(flag: bool) -> Self {
        if flag { Self::Allowed } else { Self::Refused }
    }

    /// Refuses a copy of RESTRICTED data that the caller did not allow; `what` is copied from `of`.
    pub(crate) fn check(self, level: Option<Classification>, what: &str, of: &str) -> Result<(), AppError> {
        if self == Self::Allowed || level != Some(Classification::Restricted) {
            return Ok(());
        }
        let message = format!("{of} is classified RESTRICTED, and {what} would be a copy outside of its registry");
        let diagnostic = Diagnostic::error(codes::RESTRICTED_DATA, message).stage("classification");
        Err(AppError::refused(diagnostic.help("give `--allow-restricted` if it is meant, and guard the copy")))
    }
}
