//! The eight stages, a file each: what enters, what leaves, what it must prove.

pub(crate) mod buckets;
pub(crate) mod budget;
pub(crate) mod evidence;
pub(crate) mod intent;
pub(crate) mod manifests;
pub(crate) mod memory;
pub(crate) mod policy;
pub(crate) mod sufficiency;
pub(crate) mod tools;

use crate::hydrate::Hydrated;
use crate::inputs::Inputs;
use crate::tokens::CountCache;
use serde_json::Value;

/// The input of every stage.
#[derive(Clone, Copy)]
pub(crate) struct Cx<'a> {
    pub(crate) pack: &'a Hydrated,
    pub(crate) inputs: Inputs<'a>,
    pub(crate) counts: Option<&'a dyn CountCache>,
    /// The call that is decided; none while compiling.
    pub(crate) call: Option<&'a Value>,
    /// False if recorded inputs are compiled with a pack other than the one that they name.
    pub(crate) pinned: bool,
}
