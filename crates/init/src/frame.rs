//! A message on a stream: four bytes of length, then JSON. The length is bounded; nothing beyond it is consumed.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt;
use std::io::{self, Read, Write};

/// The maximum length of a message.
const LONGEST: u32 = 16 << 20;

/// An error of reading or writing a message.
#[derive(Debug)]
pub enum FrameError {
    /// The stream ended before a message began.
    Ended,
    /// The stream failed, or ended inside a message.
    Stream(io::Error),
    /// The message is longer than the maximum.
    TooLong(u32),
    /// The message does not have the expected form.
    Form(serde_json::Error),
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ended => f.write_str("the other side closed the stream"),
            Self::Stream(error) => write!(f, "the stream failed: {error}"),
            Self::TooLong(bytes) => write!(f, "a message of {bytes} bytes is too long"),
            Self::Form(error) => write!(f, "a message has an unknown form: {error}"),
        }
    }
}

impl std::error::Error for FrameError {}

/// Reads one message, and not a byte more.
pub fn read_frame<T: DeserializeOwned>(from: &mut impl Read) -> Result<T, FrameError> {
    let mut length = [0_u8; 4];
    from.read_exact(&mut length).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => FrameError::Ended,
        _ => FrameError::Stream(error),
    })?;
    let length = u32::from_be_bytes(length);
    if length > LONGEST {
        return Err(FrameError::TooLong(length));
    }
    let mut body = Vec::new();
    from.take(u64::from(length)).read_to_end(&mut body).map_err(FrameError::Stream)?;
    serde_json::from_slice(&body).map_err(FrameError::Form)
}

/// Writes one message.
pub fn write_frame(to: &mut impl Write, message: &impl Serialize) -> Result<(), FrameError> {
    let body = serde_json::to_vec(message).map_err(FrameError::Form)?;
    let length = u32::try_from(body.len()).ok().filter(|bytes| *bytes <= LONGEST);
    let length = length.ok_or(FrameError::TooLong(u32::MAX))?;
    let mut whole = length.to_be_bytes().to_vec();
    whole.extend(body);
    to.write_all(&whole).and_then(|()| to.flush()).map_err(FrameError::Stream)
}
