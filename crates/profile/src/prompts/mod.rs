//! Prompts: the library of those that ship and those of a profile, templates, and strict rendering.

mod file;
mod library;
mod render;
mod shipped;
mod template;

pub use file::PromptFile;
pub use library::{PromptLibrary, prompt_hash};
pub use render::render;
pub use shipped::shipped_prompts;
pub use template::PromptTemplate;
