//! The result of a checked transition.

use deed_model::RegistryEvent;

/// The result of an allowed transition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Transition {
    /// This event must be appended.
    Append(Box<RegistryEvent>),
    /// It was already done, in the same way: there is nothing to append.
    AlreadyDone,
}

impl Transition {
    /// Creates a transition that appends `event`.
    pub(super) fn append(event: RegistryEvent) -> Self {
        Self::Append(Box::new(event))
    }
}
