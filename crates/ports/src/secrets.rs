//! Secrets by name, read outside the sandbox and never seen inside.

use std::fmt;
use thiserror::Error;

/// Where secrets are kept.
pub trait Secrets: Send + Sync {
    /// The secret of a name, without `secret://`.
    fn secret(&self, name: &str) -> Result<Secret, SecretError>;
}

/// Where nobody has a secret.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoSecrets;

impl Secrets for NoSecrets {
    fn secret(&self, name: &str) -> Result<Secret, SecretError> {
        Err(SecretError::Unknown(name.to_owned()))
    }
}

/// A secret. It is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// A secret of this text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Its text, for whoever has to send it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// Why a secret could not be had.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SecretError {
    /// There is none of this name.
    #[error("there is no secret `{0}`")]
    Unknown(String),
    /// It is there and cannot be read.
    #[error("the secret `{name}` cannot be read: {why}")]
    Unreadable {
        /// Its name.
        name: String,
        /// Why not.
        why: String,
    },
}
