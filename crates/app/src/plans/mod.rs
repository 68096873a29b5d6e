//! Plans: reading, compiling, and checking the code of their steps.

mod load;
mod syntax;

pub use load::{PlanSource, compiled, document, gates, lowered};
