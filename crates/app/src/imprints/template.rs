//! Templates of schemas, and the operations of API descriptions.

use super::source::{SchemaSource, foreign, refusal};
use crate::error::AppError;
use deed_context::{DEFAULT_TOKENIZER, Tokenizer, tokenizer};
use deed_diag::{Diagnostic, Report, Severity};
use deed_imprint::Imprint;
use deed_schema::{Api, Dialect, Operation};
use std::path::Path;
use std::sync::Arc;

/// Makes the template of a schema that some payload satisfies.
///
/// # Errors
/// The schema cannot be read, is refused, or contradicts itself.
pub fn template(source: &SchemaSource) -> Result<Imprint, AppError> {
    let imprint = source.load()?;
    let name = source.schema.display().to_string();
    imprint.schema().sound().map_err(|refused| refusal(&refused, &name))?;
    Ok(imprint)
}

/// The tokenizer that templates are counted with. It loads its vocabulary with the first count.
///
/// # Errors
/// The default tokenizer is missing, which is a defect.
pub fn counter() -> Result<Arc<dyn Tokenizer>, AppError> {
    tokenizer(DEFAULT_TOKENIZER).ok_or_else(|| AppError::internal("the default tokenizer is missing"))
}

/// The operations of an API description.
#[derive(Debug)]
pub struct DescribedApi {
    /// The dialect of the description.
    pub dialect: Dialect,
    /// The operations, in the order of the description.
    pub operations: Vec<Operation>,
    /// A warning for each path that another document describes, whose operations cannot be listed.
    pub unread: Report,
}

/// Reads the operations of an API description.
///
/// # Errors
/// The description cannot be read, or is refused.
pub fn operations(path: &Path) -> Result<DescribedApi, AppError> {
    let name = path.display().to_string();
    let api = Api::new(foreign(path)?).map_err(|refused| refusal(&refused, &name))?;
    let mut unread = Report::default();
    for refused in api.unread_paths() {
        let warn = |diagnostic| Diagnostic { severity: Severity::Warning, ..diagnostic };
        unread.merge(refusal(&refused, &name).report.map(warn));
    }
    Ok(DescribedApi { dialect: api.dialect(), operations: api.operations(), unread })
}
