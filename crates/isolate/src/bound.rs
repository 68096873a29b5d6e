//! The inputs of a step by slot and entity, so that a script needs no paths.

use rquickjs::{Array, Ctx, Object, Result};

/// An input of a step: the slot and the entity that it is bound to, and its files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoundInput {
    /// The slot.
    pub slot: String,
    /// The entity.
    pub entity: String,
    /// The path, or the pattern of a set; none for an optional input without a producer.
    pub path: Option<String>,
    /// True for a set of files.
    pub set: bool,
    /// The paths of its files, which are keys of the script's inputs.
    pub files: Vec<String>,
}

/// Makes the list that the prelude searches. The script does not see it.
pub(crate) fn list<'js>(ctx: &Ctx<'js>, inputs: &[BoundInput]) -> Result<Array<'js>> {
    let list = Array::new(ctx.clone())?;
    for (at, input) in inputs.iter().enumerate() {
        let files = Array::new(ctx.clone())?;
        for (at, file) in input.files.iter().enumerate() {
            files.set(at, file.as_str())?;
        }
        let object = Object::new(ctx.clone())?;
        object.set("slot", input.slot.as_str())?;
        object.set("entity", input.entity.as_str())?;
        object.set("path", input.path.as_deref())?;
        object.set("set", input.set)?;
        object.set("files", files)?;
        list.set(at, object)?;
    }
    Ok(list)
}
