//! Adapters between objects, one file each.
//!
//! Both sides are held to the rules of `deed_canon` and `deed_diag`: one meaning, no key twice, no number that
//! readers differ on, at most 128 levels. Keys keep their order.

mod json;
pub(crate) mod json_to_yaml;
pub(crate) mod yaml_to_json;

use crate::error::AdapterError;
use crate::limits::Limits;
use deed_table::Input;
use deed_table::read_all;

/// A whole document, which is held while it is worked on.
fn document(input: &mut dyn Input, limits: &Limits) -> Result<Vec<u8>, AdapterError> {
    let held = u64::try_from(limits.held_bytes).unwrap_or(u64::MAX).min(deed_diag::MAX_DOCUMENT_BYTES);
    Ok(read_all(input, limits.input_bytes.min(held))?)
}
