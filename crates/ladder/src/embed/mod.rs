//! Names as vectors, offline and the same everywhere.
//!
//! A field name enters, with the vocabulary it should belong to; out comes the vocabulary ranked by similarity, and a
//! choice that is made only where one entry is close and no other is near it. Everything is integer arithmetic over
//! one table of words, so the same name ranks the same on every machine. What must hold: a wrong rename is worse than
//! none, so opposites, other units and other numbers push apart, and a tie is never broken by guessing.

mod lexicon;
mod names;
mod rank;
mod spelling;
mod split;
mod vector;

pub use names::Names;
pub use rank::{Choice, Entry, Limits, Match, Ranked};
pub(crate) use spelling::singular;
pub(crate) use split::words;
pub use vector::{Similarity, Vector};

/// Turns a field name into a vector. Two embedders with the same id give the same vectors.
pub trait Embedder {
    /// What reports pin: the kind and version of the embedding.
    fn id(&self) -> &str;

    /// The vector of a name, an alias or a clause of a description.
    fn embed(&self, text: &str) -> Vector;

    /// Whether a word that only one of two names has gives it another meaning, however near their vectors are:
    /// `per_page` is not `page`. An embedder that does not read words leaves this to the vectors.
    fn tells_apart(&self, _name: &str, _other: &str) -> bool {
        false
    }

    /// Whether a name that was found near to one entry says as much of another: a bare `amount` in a record about claims
    /// may be the `claim_amount` or the `paid_amount`. An embedder that does not read words leaves this to the vectors.
    fn leaves_open(&self, _name: &str, _chosen: &str, _other: &str) -> bool {
        false
    }
}

/// A stable 64-bit hash (FNV-1a) of a tagged text: the coordinate of a feature.
fn feature(tag: &str, text: &str) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let hash = tag.as_bytes().iter().fold(0xcbf2_9ce4_8422_2325, step);
    text.as_bytes().iter().fold(step(hash, &0xff), step)
}
