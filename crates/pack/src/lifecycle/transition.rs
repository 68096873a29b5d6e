//! What a checked transition amounts to.

use deed_model::RegistryEvent;

/// The outcome of a transition that is allowed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Transition {
    /// This event is to be appended.
    Append(Box<RegistryEvent>),
    /// It was done before, in just this way: there is nothing to append.
    AlreadyDone,
}

impl Transition {
    /// A transition that appends `event`.
    pub(super) fn append(event: RegistryEvent) -> Self {
        Self::Append(Box::new(event))
    }
}
