//! A refusal while it travels: small, so that an attempt that fails costs nothing to speak of.

use super::unreadable::UnreadableKind;

/// Why and where a text is refused; the words are found only when somebody is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) kind: UnreadableKind,
    pub(super) at: usize,
    /// How many bytes are at fault.
    pub(super) len: usize,
}

impl Fault {
    #[cold]
    pub(super) fn new(kind: UnreadableKind, at: usize, end: usize) -> Self {
        Self { kind, at, len: end.saturating_sub(at) }
    }
}
