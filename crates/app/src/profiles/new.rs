//! A profile to begin with.

use crate::error::AppError;
use crate::files::{self, Access, Existing};
use crate::scaffold::DEFAULT_TENANT;
use crate::session::Session;
use deed_diag::{Diagnostic, codes};
use std::path::PathBuf;

/// A profile to write.
#[derive(Debug, Clone, Default)]
pub struct NewProfile {
    /// The profile's id.
    pub profile_id: String,
    /// The file; `<profile_id>.profile.yaml` if it is left out.
    pub out: Option<PathBuf>,
    /// The issuer; the registry's tenant if it is left out.
    pub issuer: Option<String>,
}

/// Writes a commented profile that passes lint.
///
/// # Errors
/// The id is not one of a profile, or the file exists.
pub fn new(session: &Session, new: &NewProfile) -> Result<PathBuf, AppError> {
    let path = new.out.clone().unwrap_or_else(|| PathBuf::from(format!("{}.profile.yaml", new.profile_id)));
    let tenant = session.maybe_home()?.map(|home| home.config.tenant);
    let issuer = new.issuer.clone().or(tenant).unwrap_or_else(|| DEFAULT_TENANT.to_owned());
    let text = deed_profile::scaffold(&new.profile_id, &issuer, &path.display().to_string()).map_err(|error| {
        let help = "write lowercase words with dashes, such as `team-default`";
        AppError::usage(Diagnostic::error(codes::BAD_ID, error.to_string()).stage("profile").help(help))
    })?;
    files::write(&path, text.as_bytes(), Existing::Keep, Access::Shared)?;
    Ok(path)
}
