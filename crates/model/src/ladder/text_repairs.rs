//! Text repairs, stored compactly: a text may need hundreds of thousands, nearly all of them a few bytes apart.

use super::repair_name::RepairName;
use super::report::TextRepair;
use deed_canon::Invariant as _;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

/// Payload bits per byte of a number.
const BITS: u32 = 7;
/// The bit that marks a number that continues in the next byte.
const MORE: u8 = 0x80;

/// A list of repairs, stored as the distances between them.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct TextRepairs {
    bytes: Vec<u8>,
    count: usize,
    /// The start of the last repair.
    last: usize,
}

impl TextRepairs {
    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the number of repairs.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Removes all of them.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Adds a repair.
    pub fn push(&mut self, kind: RepairName, at: Range<usize>, inserted: &str) {
        self.bytes.push(kind.index());
        self.number(at.start.wrapping_sub(self.last));
        self.number(at.end.wrapping_sub(at.start));
        self.number(inserted.len());
        self.bytes.extend_from_slice(inserted.as_bytes());
        self.last = at.start;
        self.count += 1;
    }

    fn number(&mut self, mut number: usize) {
        loop {
            let low = u8::try_from(number & usize::from(!MORE)).invariant("seven bits fit into a byte");
            number >>= BITS;
            if number == 0 {
                self.bytes.push(low);
                return;
            }
            self.bytes.push(low | MORE);
        }
    }

    /// Releases unused memory.
    pub fn shrink_to_fit(&mut self) {
        self.bytes.shrink_to_fit();
    }

    /// Iterates over the kind, the range and the replacement of each repair.
    pub fn parts(&self) -> Parts<'_> {
        Parts { bytes: &self.bytes, last: 0 }
    }

    /// Iterates over the repairs, in order.
    pub fn iter(&self) -> impl Iterator<Item = TextRepair<'_>> {
        self.into_iter()
    }
}

/// An iterator over the parts of repairs.
#[derive(Debug, Clone)]
pub struct Parts<'r> {
    bytes: &'r [u8],
    last: usize,
}

impl<'r> Parts<'r> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(*first)
    }

    fn number(&mut self) -> Option<usize> {
        let (mut number, mut shift) = (0_usize, 0);
        loop {
            let byte = self.byte()?;
            number |= usize::from(byte & !MORE).checked_shl(shift)?;
            if byte & MORE == 0 {
                return Some(number);
            }
            shift += BITS;
        }
    }
}

impl<'r> Iterator for Parts<'r> {
    type Item = (RepairName, Range<usize>, &'r str);

    fn next(&mut self) -> Option<Self::Item> {
        let kind = RepairName::at(self.byte()?).invariant("a stored repair has a name");
        let mut number = || self.number().invariant("a stored repair is complete");
        let (start, end, length) = (number(), number(), number());
        let start = start.wrapping_add(self.last);
        let end = end.wrapping_add(start);
        let (inserted, rest) = self.bytes.split_at_checked(length).invariant("a stored repair is complete");
        self.bytes = rest;
        self.last = start;
        Some((kind, start..end, std::str::from_utf8(inserted).invariant("inserted text is text")))
    }
}

/// An iterator over the repairs of a list.
#[derive(Debug, Clone)]
pub struct Repairs<'r>(Parts<'r>);

impl<'r> Iterator for Repairs<'r> {
    type Item = TextRepair<'r>;

    fn next(&mut self) -> Option<Self::Item> {
        let (kind, at, inserted) = self.0.next()?;
        Some(TextRepair { kind, start: at.start, end: at.end, inserted: Cow::Borrowed(inserted) })
    }
}

impl<'r> IntoIterator for &'r TextRepairs {
    type Item = TextRepair<'r>;
    type IntoIter = Repairs<'r>;

    fn into_iter(self) -> Repairs<'r> {
        Repairs(self.parts())
    }
}

impl<'a> FromIterator<TextRepair<'a>> for TextRepairs {
    fn from_iter<I: IntoIterator<Item = TextRepair<'a>>>(repairs: I) -> Self {
        let mut out = Self::default();
        for repair in repairs {
            out.push(repair.kind, repair.start..repair.end, &repair.inserted);
        }
        out
    }
}

impl fmt::Debug for TextRepairs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

impl Serialize for TextRepairs {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self)
    }
}

impl<'de> Deserialize<'de> for TextRepairs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(RepairsVisitor)
    }
}

struct RepairsVisitor;

impl<'de> Visitor<'de> for RepairsVisitor {
    type Value = TextRepairs;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of repairs")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<TextRepairs, A::Error> {
        let mut out = TextRepairs::default();
        while let Some(repair) = items.next_element::<TextRepair<'static>>()? {
            out.push(repair.kind, repair.start..repair.end, &repair.inserted);
        }
        Ok(out)
    }
}

impl JsonSchema for TextRepairs {
    fn schema_name() -> Cow<'static, str> {
        Vec::<TextRepair<'static>>::schema_name()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Vec::<TextRepair<'static>>::json_schema(generator)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn repairs_are_read_as_they_were_written() {
        let kind = RepairName::new("single_quotes").unwrap();
        let repairs = [(3, 4, "\""), (3, 3, ""), (300, 70_000, "é\n"), (2, 1, "x"), (usize::MAX, 0, "")];
        let repair = |(start, end, inserted): (usize, usize, &'static str)| TextRepair {
            kind,
            start,
            end,
            inserted: Cow::Borrowed(inserted),
        };
        let packed: TextRepairs = repairs.iter().copied().map(repair).collect();
        assert_eq!(packed.len(), repairs.len());
        assert!(packed.iter().eq(repairs.iter().copied().map(repair)));
        let written = serde_json::to_string(&packed).unwrap_or_default();
        assert_eq!(serde_json::from_str::<TextRepairs>(&written).ok(), Some(packed));
    }
}
