//! A reader of Thrift's compact protocol, as far as Parquet uses it, for untrusted bytes.
//!
//! Every length is checked against the remaining bytes, no count causes an allocation, and unknown fields are skipped.
//! Malformed bytes give `None`.

/// The maximum nesting of structs and lists.
const DEEPEST: usize = 32;

/// Reads values one after the other.
pub(crate) struct Thrift<'b> {
    bytes: &'b [u8],
    at: usize,
}

/// The type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FieldType {
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

impl FieldType {
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

    /// The number of consumed bytes.
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

    /// The number and the type of the items of a list. Each takes at least one byte, so a larger number is malformed.
    pub(crate) fn list(&mut self) -> Option<(usize, FieldType)> {
        let head = self.byte()?;
        let count = match head >> 4 {
            15 => usize::try_from(self.varint()?).ok()?,
            count => usize::from(count),
        };
        (count <= self.bytes.len() - self.at).then_some((count, FieldType::new(head & 15)?))
    }

    /// Passes the fields of a struct to `each`, with their numbers.
    pub(crate) fn fields(
        &mut self,
        mut each: impl FnMut(&mut Self, i64, FieldType) -> Option<FieldVisit>,
    ) -> Option<()> {
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
            let sort = FieldType::new(head & 15)?;
            if each(self, number, sort)? == FieldVisit::Skip {
                self.skip(sort, 0)?;
            }
        }
    }

    fn skip(&mut self, sort: FieldType, depth: usize) -> Option<()> {
        if depth > DEEPEST {
            return None;
        }
        match sort {
            FieldType::True | FieldType::False => {}
            FieldType::Byte => drop(self.byte()?),
            FieldType::Whole => drop(self.varint()?),
            FieldType::Double => {
                self.at = self.at.checked_add(8).filter(|at| *at <= self.bytes.len())?;
            }
            FieldType::Binary => drop(self.binary()?),
            FieldType::List => {
                let (count, of) = self.list()?;
                for _ in 0..count {
                    self.skip_item(of, depth)?;
                }
            }
            FieldType::Map => {
                let count = usize::try_from(self.varint()?).ok().filter(|count| *count <= self.bytes.len())?;
                if count > 0 {
                    let sorts = self.byte()?;
                    let (key, value) = (FieldType::new(sorts >> 4)?, FieldType::new(sorts & 15)?);
                    for _ in 0..count {
                        self.skip_item(key, depth)?;
                        self.skip_item(value, depth)?;
                    }
                }
            }
            FieldType::Struct => loop {
                let head = self.byte()?;
                if head == 0 {
                    break;
                }
                if head >> 4 == 0 {
                    self.varint()?;
                }
                self.skip(FieldType::new(head & 15)?, depth + 1)?;
            },
        }
        Some(())
    }

    /// Skips an item of a list, in which a boolean takes a byte of its own.
    fn skip_item(&mut self, of: FieldType, depth: usize) -> Option<()> {
        match of {
            FieldType::True | FieldType::False => self.byte().map(drop),
            other => self.skip(other, depth + 1),
        }
    }
}

/// The result of visiting a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FieldVisit {
    /// The visitor has read the field.
    Read,
    /// The field is skipped.
    Skip,
}
