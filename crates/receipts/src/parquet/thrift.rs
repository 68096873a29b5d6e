//! The compact form of Thrift, as far as Parquet uses it, over bytes that are never believed.
//!
//! Every length is checked against what is left, nothing is allocated by a count, and what is not asked for is
//! skipped. Nothing is returned where the bytes do not hold.

/// Levels of structs and lists within each other.
const DEEPEST: usize = 32;

/// Reads values one after the other.
pub(crate) struct Thrift<'b> {
    bytes: &'b [u8],
    at: usize,
}

/// The sort of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sort {
    True,
    False,
    Byte,
    Whole,
    Double,
    Binary,
    List,
    Map,
    Struct,
}

impl Sort {
    fn new(code: u8) -> Option<Self> {
        Some(match code {
            1 => Self::True,
            2 => Self::False,
            3 => Self::Byte,
            4..=6 => Self::Whole,
            7 => Self::Double,
            8 => Self::Binary,
            9 | 10 => Self::List,
            11 => Self::Map,
            12 => Self::Struct,
            _ => return None,
        })
    }
}

impl<'b> Thrift<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// How many bytes were used up.
    pub(crate) fn used(&self) -> usize {
        self.at
    }

    fn byte(&mut self) -> Option<u8> {
        let byte = self.bytes.get(self.at).copied()?;
        self.at += 1;
        Some(byte)
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0_u64;
        for shift in (0..70).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f).checked_shl(shift)?;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    /// A whole number.
    pub(crate) fn whole(&mut self) -> Option<i64> {
        let value = self.varint()?;
        Some((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
    }

    /// Bytes or a text.
    pub(crate) fn binary(&mut self) -> Option<&'b [u8]> {
        let length = usize::try_from(self.varint()?).ok()?;
        let bytes = self.bytes.get(self.at..self.at.checked_add(length)?)?;
        self.at += length;
        Some(bytes)
    }

    /// The number and the sort of the items of a list. Each takes a byte at least, so there are no more than bytes.
    pub(crate) fn list(&mut self) -> Option<(usize, Sort)> {
        let head = self.byte()?;
        let count = match head >> 4 {
            15 => usize::try_from(self.varint()?).ok()?,
            count => usize::from(count),
        };
        (count <= self.bytes.len() - self.at).then_some((count, Sort::new(head & 15)?))
    }

    /// Hands the fields of a struct to `each`, with their numbers; where it takes none of it, the field is skipped.
    pub(crate) fn fields(&mut self, mut each: impl FnMut(&mut Self, i64, Sort) -> Option<Taken>) -> Option<()> {
        let mut number = 0_i64;
        loop {
            let head = self.byte()?;
            if head == 0 {
                return Some(());
            }
            number = match head >> 4 {
                0 => self.whole()?,
                delta => number.checked_add(i64::from(delta))?,
            };
            let sort = Sort::new(head & 15)?;
            if each(self, number, sort)? == Taken::No {
                self.skip(sort, 0)?;
            }
        }
    }

    fn skip(&mut self, sort: Sort, depth: usize) -> Option<()> {
        if depth > DEEPEST {
            return None;
        }
        match sort {
            Sort::True | Sort::False => {}
            Sort::Byte => drop(self.byte()?),
            Sort::Whole => drop(self.varint()?),
            Sort::Double => {
                self.at = self.at.checked_add(8).filter(|at| *at <= self.bytes.len())?;
            }
            Sort::Binary => drop(self.binary()?),
            Sort::List => {
                let (count, of) = self.list()?;
                for _ in 0..count {
                    self.skip_item(of, depth)?;
                }
            }
            Sort::Map => {
                let count = usize::try_from(self.varint()?).ok().filter(|count| *count <= self.bytes.len())?;
                if count > 0 {
                    let sorts = self.byte()?;
                    let (key, value) = (Sort::new(sorts >> 4)?, Sort::new(sorts & 15)?);
                    for _ in 0..count {
                        self.skip_item(key, depth)?;
                        self.skip_item(value, depth)?;
                    }
                }
            }
            Sort::Struct => loop {
                let head = self.byte()?;
                if head == 0 {
                    break;
                }
                if head >> 4 == 0 {
                    self.varint()?;
                }
                self.skip(Sort::new(head & 15)?, depth + 1)?;
            },
        }
        Some(())
    }

    /// In a list, a truth takes a byte of its own.
    fn skip_item(&mut self, of: Sort, depth: usize) -> Option<()> {
        match of {
            Sort::True | Sort::False => self.byte().map(drop),
            other => self.skip(other, depth + 1),
        }
    }
}

/// Whether a field was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Taken {
    Yes,
    No,
}
