//! The inputs of a compile besides the pack, checked once and then borrowed.

mod evidence;
mod memory;
mod read;
mod request;
mod run;

pub use evidence::Evidence;
pub use memory::Memory;
pub use read::ReadInput;
pub use request::Request;
pub use run::Run;

pub(crate) use run::named_tokenizer;

/// The inputs of a compile besides the pack.
#[derive(Debug, Clone, Copy)]
pub struct Inputs<'a> {
    /// The request.
    pub request: &'a Request,
    /// The run that it belongs to.
    pub run: &'a Run,
    /// Retrieved evidence.
    pub evidence: &'a Evidence,
    /// Recalled memory.
    pub memory: &'a Memory,
}
