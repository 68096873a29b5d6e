//! Contexts: reading what a compile is given, compiling, recording, and recorded compiles on disk.

mod archive;
mod load;

pub use archive::{Archived, bundles, read};
pub use load::{ContextSources, Documents, LoadedContext};
