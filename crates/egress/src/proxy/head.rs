//! The head of a request: its bytes, read up to a limit, and what they say, read in one way only.

use crate::headers::Headers;
use deed_reach::is_token;
use http::{HeaderName, HeaderValue};
use std::io;
use thiserror::Error;
use tokio::io::{AsyncBufRead, AsyncBufReadExt};

const LONGEST_HEAD: usize = 64 * 1024;
const MOST_HEADERS: usize = 200;

/// The head of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) method: String,
    pub(super) target: String,
    pub(super) version: Version,
    pub(super) headers: Headers,
}

/// The version of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    Http10,
    Http11,
}

/// The reason why a head is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(super) enum HeadFault {
    #[error("the head of the request is too long")]
    TooLong,
    #[error("the request does not begin with a method")]
    NoRequest,
    #[error("a line does not end with a carriage return and a line feed")]
    LineEnd,
    #[error("the first line is not a method, a target and a version")]
    FirstLine,
    #[error("the version is neither HTTP/1.1 nor HTTP/1.0")]
    Version,
    #[error("a header continues on the next line")]
    Folded,
    #[error("a line is not a header")]
    Header,
    #[error("there are too many headers")]
    TooMany,
}

/// The result of waiting for a head.
pub(super) enum ReadHead {
    Head(Vec<u8>),
    End,
    Fault(HeadFault),
}

/// Reads until the empty line, and not a byte further.
pub(super) async fn read(stream: &mut (impl AsyncBufRead + Unpin)) -> io::Result<ReadHead> {
    let mut head = Vec::new();
    loop {
        let bytes = stream.fill_buf().await?;
        if bytes.is_empty() {
            return if head.is_empty() { Ok(ReadHead::End) } else { Err(io::ErrorKind::UnexpectedEof.into()) };
        }
        let before = head.len();
        head.extend_from_slice(bytes);
        let taken = bytes.len();
        match ending(&head, before) {
            Ok(Some(end)) => {
                stream.consume(end.saturating_sub(before));
                head.truncate(end);
                return Ok(ReadHead::Head(head));
            }
            Ok(None) => stream.consume(taken),
            Err(fault) => return Ok(ReadHead::Fault(fault)),
        }
    }
}

/// Returns the end of the head, if it is complete.
fn ending(head: &[u8], before: usize) -> Result<Option<usize>, HeadFault> {
    if !head.first().is_some_and(|first| is_token(&[*first])) {
        return Err(HeadFault::NoRequest);
    }
    for (at, byte) in head.iter().enumerate().skip(before) {
        if *byte == b'\n' {
            let line = head.get(..=at).unwrap_or_default();
            if !line.ends_with(b"\r\n") {
                return Err(HeadFault::LineEnd);
            }
            if line.ends_with(b"\r\n\r\n") {
                return if line.len() > LONGEST_HEAD { Err(HeadFault::TooLong) } else { Ok(Some(at + 1)) };
            }
        }
    }
    if head.len() > LONGEST_HEAD { Err(HeadFault::TooLong) } else { Ok(None) }
}

/// Reads what a head says.
pub(super) fn parse(head: &[u8]) -> Result<Head, HeadFault> {
    let text = head.strip_suffix(b"\r\n\r\n").ok_or(HeadFault::LineEnd)?;
    let mut lines = text.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    let (method, target, version) = first_line(lines.next().unwrap_or_default())?;
    let headers = lines.map(header).collect::<Result<Headers, HeadFault>>()?;
    if headers.len() > MOST_HEADERS {
        return Err(HeadFault::TooMany);
    }
    Ok(Head { method, target, version, headers })
}

fn first_line(line: &[u8]) -> Result<(String, String, Version), HeadFault> {
    let mut words = line.split(|byte| *byte == b' ');
    let (Some(method), Some(target), Some(version), None) = (words.next(), words.next(), words.next(), words.next())
    else {
        return Err(HeadFault::FirstLine);
    };
    if !is_token(method) || target.is_empty() || !target.iter().all(u8::is_ascii_graphic) {
        return Err(HeadFault::FirstLine);
    }
    let version = match version {
        b"HTTP/1.1" => Version::Http11,
        b"HTTP/1.0" => Version::Http10,
        _ => return Err(HeadFault::Version),
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok((text(method), text(target), version))
}

fn header(line: &[u8]) -> Result<(HeaderName, HeaderValue), HeadFault> {
    if line.starts_with(b" ") || line.starts_with(b"\t") {
        return Err(HeadFault::Folded);
    }
    let colon = line.iter().position(|byte| *byte == b':').ok_or(HeadFault::Header)?;
    let (name, value) = line.split_at_checked(colon).ok_or(HeadFault::Header)?;
    if !is_token(name) {
        return Err(HeadFault::Header);
    }
    let value = value.get(1..).unwrap_or_default().trim_ascii();
    let name = HeaderName::from_bytes(name).map_err(|_| HeadFault::Header)?;
    let value = HeaderValue::from_bytes(value).map_err(|_| HeadFault::Header)?;
    Ok((name, value))
}

impl Head {
    /// All values of a header.
    pub(super) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a [u8]> {
        self.headers.iter().filter(move |(own, _)| own.as_str() == name).map(|(_, value)| value.as_bytes())
    }

    /// Returns whether a header has a word among those that it lists.
    pub(super) fn says(&self, name: &str, word: &str) -> bool {
        let mut words = self.all(name).flat_map(|value| value.split(|byte| *byte == b','));
        words.any(|own| own.trim_ascii().eq_ignore_ascii_case(word.as_bytes()))
    }

    /// Returns whether the connection stays open after the answer.
    pub(super) fn stays(&self) -> bool {
        self.version == Version::Http11 && !self.says("connection", "close") && !self.says("proxy-connection", "close")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(head: &str) -> Option<HeadFault> {
        parse(head.as_bytes()).err()
    }

    #[test]
    fn a_head_is_read() {
        let head = parse(b"GET /a HTTP/1.1\r\nHost: a.test\r\nX-A:  b c \r\n\r\n").unwrap();
        assert_eq!((head.method.as_str(), head.target.as_str(), head.version), ("GET", "/a", Version::Http11));
        assert_eq!(head.all("x-a").collect::<Vec<_>>(), [b"b c"]);
        assert!(head.stays());
    }

    #[test]
    fn odd_heads_are_refused() {
        assert_eq!(fault("GET /a HTTP/1.1\r\nA: b\r\n c\r\n\r\n"), Some(HeadFault::Folded));
        assert_eq!(fault("GET /a HTTP/1.1\r\nA : b\r\n\r\n"), Some(HeadFault::Header));
        assert_eq!(fault("GET /a HTTP/1.1\r\n: b\r\n\r\n"), Some(HeadFault::Header));
        assert_eq!(fault("GET /a HTTP/1.1\r\nA b\r\n\r\n"), Some(HeadFault::Header));
        assert_eq!(fault("GET /a HTTP/1.1\r\nA: b\rX: c\r\n\r\n"), Some(HeadFault::Header));
        assert_eq!(fault("GET /a HTTP/1.1\r\nA: b\0\r\n\r\n"), Some(HeadFault::Header));
        assert_eq!(fault("GET  /a HTTP/1.1\r\n\r\n"), Some(HeadFault::FirstLine));
        assert_eq!(fault("GET /a b HTTP/1.1\r\n\r\n"), Some(HeadFault::FirstLine));
        assert_eq!(fault("GET /\u{e9} HTTP/1.1\r\n\r\n"), Some(HeadFault::FirstLine));
        assert_eq!(fault("GET /a\r\n\r\n"), Some(HeadFault::FirstLine));
        assert_eq!(fault("GET /a HTTP/2.0\r\n\r\n"), Some(HeadFault::Version));
        assert_eq!(fault("GET /a http/1.1\r\n\r\n"), Some(HeadFault::Version));
    }

    proptest::proptest! {
        #[test]
        fn a_head_is_whole_wherever_it_is_cut(cut in 1_usize..70, tail in ".{0,20}") {
            let text = format!("GET /a HTTP/1.1\r\nHost: a.test\r\nX-A: b\r\n\r\n{tail}");
            let whole = text.len() - tail.len();
            let cut = cut.min(whole);
            let first = ending(&text.as_bytes()[..cut], 0);
            let found = match first {
                Ok(None) => ending(text.as_bytes(), cut),
                other => other,
            };
            proptest::prop_assert_eq!(found, Ok(Some(whole)));
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..80)) {
            let head = [b"GET / HTTP/1.1\r\n".as_slice(), &bytes, b"\r\n\r\n"].concat();
            let _ = (ending(&bytes, 0), parse(&bytes), parse(&head));
        }
    }

    #[test]
    fn the_end_is_found_across_reads() {
        assert_eq!(ending(b"GET / HTTP/1.1\r\n\r\nrest", 0), Ok(Some(18)));
        assert_eq!(ending(b"GET / HTTP/1.1\r\n\r\n", 17), Ok(Some(18)));
        assert_eq!(ending(b"GET / HTTP/1.1\n\n", 0), Err(HeadFault::LineEnd));
        assert_eq!(ending(b"\x16\x03\x01", 0), Err(HeadFault::NoRequest));
        assert_eq!(ending(b"\r\nGET", 0), Err(HeadFault::NoRequest));
        assert_eq!(ending(&[b'A'; LONGEST_HEAD + 1], 0), Err(HeadFault::TooLong));
    }
}
