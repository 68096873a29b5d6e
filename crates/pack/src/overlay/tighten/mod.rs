//! Is one thing at least as strict as another? Overlays and diffs ask here, so that the answer stands once.
//!
//! A question gets one of four answers, and only `Same` and `Tighter` let anything pass: what cannot be
//! proven to tighten is treated as if it widened.

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

/// What a change does to power, with the reason in a sentence without a stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Strictness {
    /// Nothing moves.
    Same,
    /// Power can only shrink.
    Tighter(String),
    /// Power grows; the sentence says which way would be right.
    Looser(String),
    /// Neither is proven.
    Unproven(String),
}

impl Strictness {
    /// True where nothing is widened.
    pub(crate) fn holds(&self) -> bool {
        match self {
            Self::Same | Self::Tighter(_) => true,
            Self::Looser(_) | Self::Unproven(_) => false,
        }
    }

    /// The reason, in words.
    pub(crate) fn reason(&self) -> &str {
        match self {
            Self::Same => "it stays what it is",
            Self::Tighter(why) | Self::Looser(why) | Self::Unproven(why) => why,
        }
    }
}
