//! Secrets by name, read outside the sandbox and never seen inside.

use std::fmt;
use thiserror::Error;

/// A source of secrets.
pub trait Secrets: Send + Sync {
    /// Returns the secret of a name, without `secret://`.
    ///
    /// # Errors
    /// The secret is unknown or cannot be read.
    fn secret(&self, name: &str) -> Result<Secret, SecretError>;
}

/// A source without secrets.
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
    /// Creates a secret.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Its text, for the code that sends it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// An error of reading a secret.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SecretError {
    /// The secret is unknown.
    #[error("there is no secret `{0}`")]
    Unknown(String),
    /// The secret exists and cannot be read.
    #[error("the secret `{name}` cannot be read: {why}")]
    Unreadable {
        /// Its name.
        name: String,
        /// The reason.
        why: String,
    },
}
