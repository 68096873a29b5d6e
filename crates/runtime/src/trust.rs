//! The certificate authorities that are trusted outside: the system's and more, read on first use.

use deed_egress::{Roots, RootsError};
use std::sync::OnceLock;

/// The trusted certificate authorities.
#[derive(Debug, Default)]
pub struct Trust {
    extra: Vec<u8>,
    loaded: OnceLock<Result<Roots, RootsError>>,
}

impl Trust {
    /// The system's, and those of a PEM text.
    pub fn new(extra: Vec<u8>) -> Self {
        Self { extra, loaded: OnceLock::new() }
    }

    /// Reads them, if that was not done.
    pub fn roots(&self) -> Result<Roots, RootsError> {
        self.loaded.get_or_init(|| Roots::native_and(&self.extra)).clone()
    }
}
