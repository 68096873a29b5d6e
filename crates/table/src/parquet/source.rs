//! The footer and the column chunks of a Parquet file, read with every length checked.

use super::error::{ParquetError as Error, ParquetErrorKind};
use super::read::ParquetLimits;
use crate::input::Input;
use bytes::Bytes;
use bytes::buf::{Buf, Reader};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, ParquetMetaDataReader};
use parquet::file::reader::{ChunkReader, Length};
use std::io::SeekFrom;

const MAGIC: &[u8; 4] = b"PAR1";
const ENCRYPTED: &[u8; 4] = b"PARE";
/// The length of the footer, and the magic.
const TAIL: u64 = 8;

/// A file of which parts are read.
pub(super) struct Source<'i> {
    input: &'i mut dyn Input,
    length: u64,
    held: usize,
}

impl<'i> Source<'i> {
    pub(super) fn open(input: &'i mut dyn Input, limits: &ParquetLimits) -> Result<Self, Error> {
        let length = input.seek(SeekFrom::End(0)).map_err(|error| Error::read(&error))?;
        if length > limits.input_bytes {
            return Err(Error::limit(format_args!("{} bytes of input", limits.input_bytes)));
        }
        Ok(Self { input, length, held: limits.held_bytes })
    }

    fn bytes(&mut self, start: u64, length: u64) -> Result<Vec<u8>, Error> {
        if start.checked_add(length).is_none_or(|end| end > self.length) {
            return Err(Error::damaged("a part of the file lies beyond its end").at_offset(start));
        }
        let length = usize::try_from(length).ok().filter(|length| *length <= self.held);
        let length = length.ok_or_else(|| Error::limit(format_args!("{} bytes held at once", self.held)))?;
        self.input.seek(SeekFrom::Start(start)).map_err(|error| Error::read(&error))?;
        let mut bytes = vec![0; length];
        self.input.read_exact(&mut bytes).map_err(|error| Error::read(&error))?;
        Ok(bytes)
    }

    /// Reads the footer.
    pub(super) fn metadata(&mut self) -> Result<ParquetMetaData, Error> {
        if self.length < TAIL + 4 || self.bytes(0, 4)? != MAGIC {
            return Err(Error::damaged("this is not a Parquet file"));
        }
        let tail = self.bytes(self.length - TAIL, TAIL)?;
        let [a, b, c, d, magic @ ..] = tail.as_slice() else { return Err(Error::damaged("the file has no end")) };
        if magic == ENCRYPTED {
            return Err(Error::new(ParquetErrorKind::Encrypted, "the file is encrypted"));
        }
        if magic != MAGIC {
            return Err(Error::damaged("the file does not end as a Parquet file does").at_offset(self.length - 4));
        }
        let length = u64::from(u32::from_le_bytes([*a, *b, *c, *d]));
        let Some(start) = (self.length - TAIL).checked_sub(length).filter(|start| *start >= 4) else {
            return Err(Error::damaged("the footer is longer than the file").at_offset(self.length - TAIL));
        };
        let footer = self.bytes(start, length)?;
        ParquetMetaDataReader::decode_metadata(&footer)
            .map_err(|_| Error::damaged("the footer cannot be read").at_offset(start))
    }

    /// Reads the bytes of a column chunk.
    pub(super) fn chunk(&mut self, chunk: &ColumnChunkMetaData) -> Result<Chunk, Error> {
        let start = chunk.dictionary_page_offset().unwrap_or_else(|| chunk.data_page_offset());
        let (Ok(start), Ok(length)) = (u64::try_from(start), u64::try_from(chunk.compressed_size())) else {
            return Err(Error::damaged("a column chunk begins or ends before the file does"));
        };
        Ok(Chunk { start, bytes: Bytes::from(self.bytes(start, length)?) })
    }
}

/// A part of a file in memory, addressed as in the file.
pub(super) struct Chunk {
    start: u64,
    bytes: Bytes,
}

impl Chunk {
    fn from(&self, start: u64) -> Result<Bytes, ParquetError> {
        let at = start.checked_sub(self.start).and_then(|at| usize::try_from(at).ok());
        match at.filter(|at| *at <= self.bytes.len()) {
            Some(at) => Ok(self.bytes.slice(at..)),
            None => Err(ParquetError::EOF("a page lies outside its column chunk".to_owned())),
        }
    }
}

impl Length for Chunk {
    fn len(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }
}

impl ChunkReader for Chunk {
    type T = Reader<Bytes>;

    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        Ok(self.from(start)?.reader())
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        let rest = self.from(start)?;
        if length > rest.len() {
            return Err(ParquetError::EOF("a page is longer than its column chunk".to_owned()));
        }
        Ok(rest.slice(..length))
    }
}
