//! Models: which are known, and one question to try one.

mod ask;
mod client;
mod list;
pub mod local;

pub use ask::{ModelTest, TestedModel, test};
pub use list::{KeyStatus, KnownModels, KnownProvider, list};
