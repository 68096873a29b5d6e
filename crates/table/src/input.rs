//! The source of bytes that tables are read from.

use std::io::{Read, Seek};

/// A source to read and seek in: a file or a cursor.
pub trait Input: Read + Seek {}

impl<T: Read + Seek + ?Sized> Input for T {}
