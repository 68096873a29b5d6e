//! Plans: reading, compiling, and checking the code of their steps.

mod load;
mod places;
mod syntax;

pub use load::{PlanSource, compiled, document, gates, lowered};
pub use places::code_places;
