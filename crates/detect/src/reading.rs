//! The ways in which a sieve reads a text.

/// The way a text is read: by itself, or for the strings and numbers of a JSON document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// The text itself.
    Text,
    /// Each value by itself under its name, where the elements of an array stand under the array's name.
    Json,
}
