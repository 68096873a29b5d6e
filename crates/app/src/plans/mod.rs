//! Plans: reading, compiling, and checking the code of their steps.

mod load;
mod places;
mod syntax;

pub use load::{
    PackGates, PlanSource, PlanText, compiled, compiled_from, compiled_text, document, gates, lowered, write_compiled,
};
pub use places::code_places;
