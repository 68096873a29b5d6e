//! The byte-pair vocabularies `o200k_base` and `cl100k_base`: exact token counts without loading anything.
//!
//! A vocabulary is a few tables that the build script makes and that, for `o200k_base`, are used in place: the bytes of all tokens, where
//! each stands, and a hash table over them. A process that counts a few texts touches a few pages of them. Text is first
//! split into pieces by the pattern of the vocabulary, and the bytes of a piece are then merged by rank.
//!
//! ```
//! let vocabulary = deed_vocabulary::o200k_base();
//! assert_eq!(vocabulary.count("hello world"), 2);
//! assert_eq!(vocabulary.split("it's 1234").collect::<Vec<_>>(), ["it's", " ", "123", "4"]);
//! ```

mod merge;
mod split;
mod table;

pub use split::Pieces;

use split::Pattern;
use std::sync::LazyLock;
use table::Table;

/// A byte-pair vocabulary with the pattern that splits text into pieces.
#[derive(Debug)]
pub struct Vocabulary {
    table: Table,
    pattern: &'static Pattern,
}

macro_rules! vocabulary {
    ($name:literal, $pattern:expr) => {
        Vocabulary {
            table: Table {
                bytes: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".bytes")),
                lengths: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".lengths")),
                blocks: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".blocks")),
                slots: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".slots")),
            },
            pattern: $pattern,
        }
    };
}

static O200K: Vocabulary = vocabulary!("o200k_base", &split::O200K);
static CL100K: LazyLock<Vocabulary> = LazyLock::new(|| {
    let packed = include_bytes!(concat!(env!("OUT_DIR"), "/cl100k_base.packed"));
    Vocabulary { table: Table::unpacked(packed, CL100K_TOKENS), pattern: &split::CL100K }
});

/// How many tokens `cl100k_base` has, special ones apart.
const CL100K_TOKENS: usize = 100_256;

/// The vocabulary `o200k_base`.
pub fn o200k_base() -> &'static Vocabulary {
    &O200K
}

/// The vocabulary `cl100k_base`. Its tables are made at the first call, which takes some milliseconds.
pub fn cl100k_base() -> &'static Vocabulary {
    &CL100K
}

impl Vocabulary {
    /// The number of tokens of a text.
    pub fn count(&'static self, text: &str) -> usize {
        self.split(text).map(|piece| self.count_piece(piece.as_bytes())).sum()
    }

    /// The pieces of a text, in order.
    pub fn split<'t>(&'static self, text: &'t str) -> Pieces<'t> {
        self.pattern.split(text)
    }

    /// The number of tokens of one piece.
    pub fn count_piece(&self, piece: &[u8]) -> usize {
        // Most pieces are a token, and then there is nothing to merge.
        if self.table.rank(piece).is_some() { 1 } else { merge::count(&self.table, piece) }
    }

    /// The tokens in the order of their ranks.
    pub fn tokens(&self) -> impl Iterator<Item = &'static [u8]> {
        let table = self.table;
        (0..table.len()).map(move |rank| table.token(rank))
    }
}
