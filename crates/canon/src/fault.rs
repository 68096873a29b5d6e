//! A fault deep inside a value, which collects its pointer while it propagates, so that the success path pays nothing.

use crate::error::CanonError;
use crate::parse::MAX_DEPTH;
use crate::tree::Pointer;
use std::fmt;

/// The reason why a value has no canonical form, and the path to the part at fault, innermost first.
///
/// It is boxed because every write returns it: a result of one word fits into a register.
#[derive(Debug)]
pub(crate) struct Fault(Box<(FaultKind, Vec<String>)>);

#[derive(Debug)]
pub(crate) enum FaultKind {
    Unsafe,
    NotFinite,
    TooDeep,
    DuplicateKey,
    NotJson(String),
}

impl Fault {
    #[cold]
    pub(crate) fn at(kind: FaultKind) -> Self {
        Self(Box::new((kind, Vec::new())))
    }

    /// A value that JSON cannot represent, or that its type refused to write.
    #[cold]
    pub(crate) fn not_json(reason: &str) -> Self {
        Self::at(FaultKind::NotJson(reason.to_owned()))
    }

    /// The same fault, seen from one level further out.
    #[cold]
    pub(crate) fn under(mut self, token: &dyn ToString) -> Self {
        self.0.1.push(token.to_string());
        self
    }

    pub(crate) fn into_error(self) -> CanonError {
        let (kind, path) = *self.0;
        let pointer = path.iter().rev().fold(String::new(), |p, token| Pointer::push(&p, token));
        match kind {
            FaultKind::Unsafe => CanonError::UnsafeInteger { pointer },
            FaultKind::NotFinite => CanonError::NotFinite { pointer },
            FaultKind::TooDeep => CanonError::TooDeep { limit: MAX_DEPTH },
            FaultKind::DuplicateKey => CanonError::DuplicateKey { pointer },
            FaultKind::NotJson(reason) => CanonError::NotJson(reason),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.0 {
            FaultKind::Unsafe => f.write_str("an integer is beyond 2^53 - 1"),
            FaultKind::NotFinite => f.write_str("a number is not finite"),
            FaultKind::TooDeep => f.write_str("the nesting is too deep"),
            FaultKind::DuplicateKey => f.write_str("a key stands twice"),
            FaultKind::NotJson(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for Fault {}

impl serde::ser::Error for Fault {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::at(FaultKind::NotJson(message.to_string()))
    }
}
