//! `deed valpack new`: a pack to begin with, which passes lint as it is written.

use crate::document::is_pack_ref;
use std::fmt;

/// The name is not one of a validation pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScaffoldError {
    name: String,
}

impl fmt::Display for ScaffoldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a name of a validation pack", self.name.escape_debug())
    }
}

impl std::error::Error for ScaffoldError {}

/// Returns the text of a new pack. `file` is the name by which its comments refer to it.
///
/// # Errors
/// The name is not `valpack.<namespace>.<name>`.
///
/// ```
/// use deed_validation::{PackFile, lint, scaffold};
///
/// let text = scaffold("valpack.acme.orders", "orders.yaml").unwrap();
/// assert!(lint(&PackFile::read("orders.yaml", text.as_bytes()).unwrap()).passed());
/// ```
pub fn scaffold(name: &str, file: &str) -> Result<String, ScaffoldError> {
    let pack_ref = format!("{name}@v1");
    if !is_pack_ref(&pack_ref) {
        return Err(ScaffoldError { name: name.to_owned() });
    }
    Ok(include_str!("scaffold.yaml").replace("{pack_ref}", &pack_ref).replace("{file}", file))
}
