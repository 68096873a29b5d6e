//! Secrets by name: a file under `.deed/secrets` that only its owner can read, or an environment variable.

use crate::error::AppError;
use crate::session::Session;
use deed_ports::{Secret, SecretError, Secrets};
use std::path::PathBuf;

/// Secrets of this project.
#[derive(Debug)]
pub(crate) struct ProjectSecrets {
    folder: PathBuf,
}

impl ProjectSecrets {
    /// The secrets of a session's home; without a home, those of the environment.
    ///
    /// # Errors
    /// The named folder is not a home, or its configuration cannot be read.
    pub(crate) fn of(session: &Session) -> Result<Self, AppError> {
        let home = session.maybe_home()?;
        Ok(Self::new(home.map(|home| home.secrets()).unwrap_or_else(|| PathBuf::from(".deed/secrets"))))
    }

    /// Secrets in a folder.
    pub(super) fn new(folder: PathBuf) -> Self {
        Self { folder }
    }
}

impl Secrets for ProjectSecrets {
    fn secret(&self, name: &str) -> Result<Secret, SecretError> {
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'_' | b'-' | b'.');
        if name.is_empty() || !name.bytes().all(plain) || name.starts_with('.') {
            return Err(SecretError::Unknown(name.to_owned()));
        }
        let variable = format!("DEED_SECRET_{}", name.to_uppercase().replace(['-', '.'], "_"));
        if let Ok(text) = std::env::var(variable) {
            return Ok(Secret::new(text));
        }
        self.file(name)
    }
}

impl ProjectSecrets {
    /// Reads the file of a secret, whose name was checked.
    pub(crate) fn file(&self, name: &str) -> Result<Secret, SecretError> {
        let path = self.folder.join(name);
        let unreadable = |why: String| SecretError::Unreadable { name: name.to_owned(), why };
        let found = match std::fs::metadata(&path) {
            Ok(found) => found,
            Err(_) => return Err(SecretError::Unknown(name.to_owned())),
        };
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            if found.permissions().mode() & 0o077 != 0 {
                return Err(unreadable("others may read its file; `chmod 600` it".to_owned()));
            }
        }
        let _ = found;
        let text = std::fs::read_to_string(&path).map_err(|error| unreadable(error.to_string()))?;
        Ok(Secret::new(text.trim_end_matches(['\r', '\n'])))
    }
}
