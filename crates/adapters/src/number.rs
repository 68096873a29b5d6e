//! Number literals, and the refusal of those that not every reader reads alike.

use crate::error::{AdapterError, ErrorKind, Place, quote};
pub(crate) use deed_table::number::{Form, form, integer, is_safe};

/// The refusal of a number that not every reader reads alike.
pub(crate) fn refusal(literal: &str, place: Place) -> AdapterError {
    let message = format!("{} is a number that not every reader reads alike", quote(literal));
    AdapterError::new(ErrorKind::Number, message)
        .at(place)
        .help("numbers beyond 2^53 - 1 or the range of doubles must be text: give the column the type `string`")
}
