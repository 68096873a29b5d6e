//! The body of a request: how long it says it is, and its bytes, up to a limit.

use super::head::{Head, Version};
use crate::room::Place;
use bytes::{Bytes, BytesMut};
use std::io;
use thiserror::Error;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt};

const LONGEST_LINE: usize = 1024;
const LONGEST_TRAILERS: usize = 16 * 1024;

/// The delimitation of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Framing {
    None,
    Length(usize),
    Chunked,
}

/// The reason why a body is refused.
#[derive(Debug, Error)]
pub(super) enum BodyFault {
    #[error("the request has both a `Content-Length` and a `Transfer-Encoding`")]
    TwoLengths,
    #[error("the request has more than one `Content-Length`, or one that is not a number")]
    Length,
    #[error("the `Transfer-Encoding` is something other than `chunked`")]
    Coding,
    #[error("the body is longer than {0} bytes")]
    TooLong(usize),
    #[error("the chunks of the body cannot be read")]
    Chunk,
    #[error("the body ended early: {0}")]
    Broken(#[from] io::Error),
}

/// Returns the delimitation of a request's body.
pub(super) fn framing(head: &Head, limit: usize) -> Result<Framing, BodyFault> {
    let lengths: Vec<&[u8]> = head.all("content-length").collect();
    let codings: Vec<&[u8]> = head.all("transfer-encoding").collect();
    match (lengths.as_slice(), codings.as_slice()) {
        ([], []) => Ok(Framing::None),
        ([_, ..], [_, ..]) => Err(BodyFault::TwoLengths),
        ([], [coding]) if coding.eq_ignore_ascii_case(b"chunked") && head.version == Version::Http11 => {
            Ok(Framing::Chunked)
        }
        ([], _) => Err(BodyFault::Coding),
        ([length], []) => match number(length, 10) {
            Some(length) if length > limit => Err(BodyFault::TooLong(limit)),
            Some(length) => Ok(Framing::Length(length)),
            None => Err(BodyFault::Length),
        },
        ([_, _, ..], []) => Err(BodyFault::Length),
    }
}

/// Digits and nothing else: no sign, no space, no underscore.
fn number(digits: &[u8], radix: u32) -> Option<usize> {
    let text = std::str::from_utf8(digits).ok()?;
    let plain = !text.is_empty() && text.len() <= 16 && text.chars().all(|c| c.is_digit(radix));
    usize::from_str_radix(text, radix).ok().filter(|_| plain)
}

/// A body, and the room that it has.
#[derive(Debug)]
pub(super) struct ReadBody {
    pub(super) bytes: Bytes,
    /// True if headers came after it, which are dropped.
    pub(super) trailers: bool,
    pub(super) place: Place,
}

/// Reads a body, in the room that it needs.
pub(super) async fn read(
    stream: &mut (impl AsyncBufRead + Unpin),
    framing: Framing,
    limit: usize,
    mut place: Place,
) -> Result<ReadBody, BodyFault> {
    let mut body = BytesMut::new();
    let trailers = match framing {
        Framing::None => false,
        Framing::Length(length) => {
            exactly(stream, length, &mut body, &mut place).await?;
            false
        }
        Framing::Chunked => chunks(stream, limit, &mut body, &mut place).await?,
    };
    Ok(ReadBody { bytes: body.freeze(), trailers, place })
}

/// Memory is taken as bytes come, not as they are promised.
async fn exactly(
    stream: &mut (impl AsyncBufRead + Unpin),
    length: usize,
    body: &mut BytesMut,
    place: &mut Place,
) -> io::Result<()> {
    let end = body.len() + length;
    let mut stream = stream.take(length as u64);
    while body.len() < end {
        place.fits(body.len() + 1).await;
        if stream.read_buf(body).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    Ok(())
}

/// Reads chunks, and says whether headers came after them.
async fn chunks(
    stream: &mut (impl AsyncBufRead + Unpin),
    limit: usize,
    body: &mut BytesMut,
    place: &mut Place,
) -> Result<bool, BodyFault> {
    loop {
        let size = line(stream, LONGEST_LINE).await?;
        let digits = size.split(|byte| *byte == b';').next().unwrap_or_default();
        let size = number(digits, 16).ok_or(BodyFault::Chunk)?;
        if size == 0 {
            return trailers(stream).await;
        }
        if size > limit - body.len() {
            return Err(BodyFault::TooLong(limit));
        }
        exactly(stream, size, body, place).await?;
        if !line(stream, 0).await?.is_empty() {
            return Err(BodyFault::Chunk);
        }
    }
}

async fn trailers(stream: &mut (impl AsyncBufRead + Unpin)) -> Result<bool, BodyFault> {
    let mut total = 0;
    loop {
        let trailer = line(stream, LONGEST_TRAILERS - total).await?;
        if trailer.is_empty() {
            return Ok(total > 0);
        }
        total += trailer.len();
    }
}

/// A line of at most so many printable bytes, without its end.
async fn line(stream: &mut (impl AsyncBufRead + Unpin), longest: usize) -> Result<Vec<u8>, BodyFault> {
    let mut line = Vec::new();
    let limit = longest as u64 + 2;
    stream.take(limit).read_until(b'\n', &mut line).await?;
    let text = line.strip_suffix(b"\r\n").ok_or(BodyFault::Chunk)?;
    let printable = text.iter().all(|byte| byte.is_ascii_graphic() || *byte == b' ' || *byte == b'\t');
    if printable { Ok(text.to_vec()) } else { Err(BodyFault::Chunk) }
}

#[cfg(test)]
mod tests {
    use super::super::head::parse;
    use super::*;
    use crate::room::Room;

    fn framed(headers: &str) -> Result<Framing, String> {
        let head = parse(format!("POST / HTTP/1.1\r\n{headers}\r\n").as_bytes()).unwrap();
        framing(&head, 100).map_err(|fault| fault.to_string())
    }

    #[test]
    fn a_length_is_said_once() {
        assert_eq!(framed(""), Ok(Framing::None));
        assert_eq!(framed("Content-Length: 7\r\n"), Ok(Framing::Length(7)));
        assert_eq!(framed("Transfer-Encoding: chunked\r\n"), Ok(Framing::Chunked));
        let odd = [
            "Content-Length: 7\r\nTransfer-Encoding: chunked\r\n",
            "Transfer-Encoding: chunked\r\nContent-Length: 7\r\n",
        ];
        for headers in odd.into_iter().chain([
            "Content-Length: 7\r\nContent-Length: 7\r\n",
            "Content-Length: +7\r\n",
            "Content-Length: 7, 7\r\n",
            "Content-Length: 0x7\r\n",
            "Content-Length: \r\n",
            "Content-Length: 101\r\n",
            "Transfer-Encoding: gzip, chunked\r\n",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
            "Transfer-Encoding: xchunked\r\n",
        ]) {
            assert!(framed(headers).is_err(), "{headers:?}");
        }
    }

    async fn chunked(text: &str) -> Option<(String, bool)> {
        let mut stream = text.as_bytes();
        let taken = read(&mut stream, Framing::Chunked, 16, Room::new(1).place()).await.ok()?;
        Some((String::from_utf8(taken.bytes.to_vec()).unwrap(), taken.trailers))
    }

    #[tokio::test]
    async fn chunks_are_read_strictly() {
        assert_eq!(chunked("3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n").await, Some(("abcde".to_owned(), false)));
        assert_eq!(chunked("0\r\nX: y\r\n\r\n").await, Some((String::new(), true)));
        for odd in [
            "3\r\nabcd\r\n0\r\n\r\n",
            "3\nabc\r\n0\r\n\r\n",
            "-3\r\n",
            "3 \r\nabc\r\n0\r\n\r\n",
            "0x3\r\nabc\r\n0\r\n\r\n",
        ] {
            assert_eq!(chunked(odd).await, None, "{odd:?}");
        }
        assert_eq!(chunked("11\r\n0123456789abcdefg\r\n0\r\n\r\n").await, None);
        assert_eq!(chunked("ffffffffffffffff\r\n").await, None);
        assert_eq!(chunked("3\r\nab").await, None);
    }
}
