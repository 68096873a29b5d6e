//! The override chain: five levels of values, of which the highest decides.
//!
//! Enters: the built-in defaults, governed settings, the settings of a workspace, and a profile. Leaves: for every value
//! its origin, and what it overrides. Must prove: the profile has the last word on values, except that a master switch
//! of reasoning that any level turns off stays off.

mod effective;
mod layer;
mod level;

pub use effective::{EffectiveValue, Origin};
pub(crate) use effective::{EffectiveValues, effective};
pub(crate) use layer::{bound, layers};
pub use level::Level;
