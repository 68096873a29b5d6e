//! Strictness: is one thing at least as strict as another? Shared by overlays and diffs.
//!
//! There are four answers, and only `Same` and `Tighter` are accepted: a change that is not proven to tighten is
//! treated as if it widened.

mod argument;
mod gate;
mod number;
mod outcome;
mod reads;
mod rule;
mod truth;

pub(crate) use argument::{arguments, bound};
pub(crate) use gate::activation;
pub(crate) use number::{as_number, higher, lower, target};
pub(crate) use outcome::Outcomes;
pub(crate) use reads::reader;
pub(crate) use rule::condition;

/// The effect of a change on power, with the reason as a sentence without a stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Strictness {
    /// No effect.
    Same,
    /// Power can only shrink.
    Tighter(String),
    /// Power grows; the sentence names the right direction.
    Looser(String),
    /// Neither is proven.
    Unproven(String),
}

impl Strictness {
    /// Returns true if nothing is widened.
    pub(crate) fn holds(&self) -> bool {
        match self {
            Self::Same | Self::Tighter(_) => true,
            Self::Looser(_) | Self::Unproven(_) => false,
        }
    }

    /// Returns the reason, in words.
    pub(crate) fn reason(&self) -> &str {
        match self {
            Self::Same => "it is unchanged",
            Self::Tighter(why) | Self::Looser(why) | Self::Unproven(why) => why,
        }
    }
}
