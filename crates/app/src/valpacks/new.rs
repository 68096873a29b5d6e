//! A validation pack to begin with.

use crate::error::AppError;
use crate::files::{self, Access, Existing};
use deed_diag::{Diagnostic, codes};
use std::path::PathBuf;

/// A validation pack to write.
#[derive(Debug, Clone, Default)]
pub struct NewValidationPack {
    /// Its name: `valpack.<namespace>.<name>`.
    pub name: String,
    /// The file; `<name>.yaml` if it is left out.
    pub out: Option<PathBuf>,
}

/// Writes a commented validation pack that passes lint.
///
/// # Errors
/// The name is not one of a validation pack, or the file exists.
pub fn new(new: &NewValidationPack) -> Result<PathBuf, AppError> {
    let path = new.out.clone().unwrap_or_else(|| PathBuf::from(format!("{}.yaml", new.name)));
    let text = deed_validation::scaffold(&new.name, &path.display().to_string()).map_err(|error| {
        let help = "write `valpack.<namespace>.<name>`, such as `valpack.acme.orders`";
        AppError::usage(Diagnostic::error(codes::BAD_ID, error.to_string()).stage("valpack").help(help))
    })?;
    files::write(&path, text.as_bytes(), Existing::Keep, Access::Shared)?;
    Ok(path)
}
