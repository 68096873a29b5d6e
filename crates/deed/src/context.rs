//! Compiles what a model sees.
//!
//! [`compile`] takes a hydrated pack and the inputs of a request, and returns an [`Outcome`]: a context, or the refusal.
//! Its own documentation has a whole example. Token counts come from a [`Tokenizer`]:
//!
//! ```
//! let tokenizer = deed::context::tokenizer("o200k_base").unwrap();
//! assert_eq!(tokenizer.count("hello world"), 2);
//! assert!(deed::context::tokenizer("unknown").is_none());
//! ```
//!
//! # Errors
//!
//! [`Hydrated::new`] returns a [`Refusal`] for a pack that cannot be used; [`Outcome::context`] is none where the request
//! was refused, and the outcome says why.

pub use deed_context::{
    Evidence, Hydrated, Inputs, Memory, Outcome, ReadInput, Refusal, Request, Run, Tokenizer, compile, explain,
    tokenizer,
};
pub use deed_pack::{Bundle, PackFiles, Selection, SourceFile, lint, resolve};
