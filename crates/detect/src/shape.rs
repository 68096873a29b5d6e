//! The shape of a key: literal parts and runs of characters, from which samples are made up.
//!
//! Whole tokens never stand in the sources, since scanners that guard a repository would take
//! them for live ones.

/// One stretch of a key.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Part {
    /// These very characters.
    Text(&'static str),
    /// So many characters of a set, no more and no fewer.
    Exactly(Charset, usize),
    /// So many characters of a set, or more; samples take the fewest.
    AtLeast(Charset, usize),
    /// A UUID with hyphens.
    Uuid,
}

/// The characters a run is made of.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Charset {
    /// `0-9`.
    Digit,
    /// `0-9a-f`.
    Hex,
    /// `a-z0-9`.
    LowerAlnum,
    /// `A-Z0-9`.
    UpperAlnum,
    /// `A-Z2-7`, the base32 alphabet.
    Base32,
    /// `A-Za-z`.
    Letter,
    /// `A-Za-z0-9`.
    Alnum,
    /// `A-Za-z0-9+/`, the base64 alphabet.
    Base64,
    /// `A-Za-z0-9_-`, the URL-safe base64 alphabet.
    UrlSafe,
    /// The alphabet of bech32 in capitals, used by age.
    Bech32,
}

impl Charset {
    fn alphabet(self) -> &'static str {
        match self {
            Self::Digit => "0123456789",
            Self::Hex => "0123456789abcdef",
            Self::LowerAlnum => "abcdefghijklmnopqrstuvwxyz0123456789",
            Self::UpperAlnum => "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
            Self::Base32 => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
            Self::Letter => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
            Self::Alnum => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
            Self::Base64 => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
            Self::UrlSafe => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-",
            Self::Bech32 => "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
        }
    }

    /// Appends `length` characters drawn from the set.
    pub(crate) fn fill(self, length: usize, dice: &mut Dice, out: &mut String) {
        let alphabet = self.alphabet();
        out.extend((0..length).filter_map(|_| {
            let drawn = alphabet.as_bytes().get(dice.below(alphabet.len()))?;
            Some(char::from(*drawn))
        }));
    }
}

/// A seeded source of numbers (SplitMix64): the same seed gives the same sample everywhere.
pub(crate) struct Dice(u64);

impl Dice {
    /// Starts from a seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number under `bound`, or 0 where nothing is below it.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        let bound = bound.max(1) as u64;
        (mixed % bound) as usize
    }
}

/// The lengths of a UUID's groups.
const UUID: [usize; 5] = [8, 4, 4, 4, 12];

/// Writes out a value of this shape.
pub(crate) fn write_out(parts: &[Part], dice: &mut Dice) -> String {
    let mut out = String::new();
    for part in parts {
        match part {
            Part::Text(text) => out.push_str(text),
            Part::Exactly(set, length) | Part::AtLeast(set, length) => {
                set.fill(*length, dice, &mut out);
            }
            Part::Uuid => {
                for (index, length) in UUID.into_iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { "-" });
                    Charset::Hex.fill(length, dice, &mut out);
                }
            }
        }
    }
    out
}
