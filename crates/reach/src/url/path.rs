//! A path in its one normal form. Rules are matched against that form, and that form is sent.
//!
//! Spellings that servers read in different ways (encoded slashes, backslashes, double encoding, parameters on dots) are refused
//! rather than repaired. Empty segments within a path are kept: they never lead out of what a rule allows.

use super::UrlFault;
use std::fmt;

/// A path in normal form: dots resolved, unreserved characters plain, all others percent-encoded in capitals.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NormalPath(String);

impl NormalPath {
    /// Reads a path without its query. It must begin with one slash.
    pub fn read(raw: &str) -> Result<Self, UrlFault> {
        let text = respelled(raw)?;
        let path = without_dots(&text)?;
        if path.starts_with("//") || raw.starts_with("//") || !raw.starts_with('/') {
            return Err(UrlFault::Start);
        }
        Ok(Self(path))
    }

    /// The path `/`.
    pub fn root() -> Self {
        Self("/".to_owned())
    }

    /// The path as it is sent.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for NormalPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn respelled(raw: &str) -> Result<String, UrlFault> {
    let mut text = String::with_capacity(raw.len());
    let mut decoded = Vec::with_capacity(raw.len());
    let mut bytes = raw.bytes();
    while let Some(byte) = bytes.next() {
        let byte = match byte {
            b'%' => {
                let byte = hexadecimal(bytes.next())? << 4 | hexadecimal(bytes.next())?;
                check_encoded(byte)?;
                put(&mut text, byte, is_unreserved(byte));
                byte
            }
            b'\\' => return Err(UrlFault::Backslash),
            _ if !byte.is_ascii_graphic() || byte == b'?' || byte == b'#' => return Err(UrlFault::Character),
            _ => {
                put(&mut text, byte, is_plain(byte));
                byte
            }
        };
        decoded.push(byte);
    }
    if is_encoded_twice(&text) {
        return Err(UrlFault::EncodedTwice);
    }
    std::str::from_utf8(&decoded).map_err(|_| UrlFault::Encoding)?;
    Ok(text)
}

fn check_encoded(byte: u8) -> Result<(), UrlFault> {
    match byte {
        b'/' => Err(UrlFault::EncodedSlash),
        b'\\' => Err(UrlFault::Backslash),
        _ if byte.is_ascii_control() => Err(UrlFault::EncodedControl),
        _ => Ok(()),
    }
}

fn put(text: &mut String, byte: u8, plain: bool) {
    if plain {
        text.push(char::from(byte));
    } else {
        text.push_str(&format!("%{byte:02X}"));
    }
}

fn hexadecimal(digit: Option<u8>) -> Result<u8, UrlFault> {
    let value = digit.and_then(|digit| char::from(digit).to_digit(16)).ok_or(UrlFault::Percent)?;
    u8::try_from(value).map_err(|_| UrlFault::Percent)
}

fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)
}

fn is_plain(byte: u8) -> bool {
    is_unreserved(byte) || b"!$&'()*+,;=:@/".contains(&byte)
}

/// Looked for in the normal form, where `%25%32%65` has become `%252e`.
fn is_encoded_twice(text: &str) -> bool {
    text.match_indices("%25").any(|(at, _)| {
        let mut rest = text.bytes().skip(at + 3);
        let mut digit = || rest.next().is_some_and(|b| b.is_ascii_hexdigit());
        digit() && digit()
    })
}

fn without_dots(text: &str) -> Result<String, UrlFault> {
    let mut kept: Vec<&str> = Vec::new();
    let mut open = false;
    for segment in text.split('/').skip(1) {
        let bare = segment.split(';').next().unwrap_or(segment);
        let bare = bare.split("%3B").next().unwrap_or(bare);
        let dots = bare == "." || bare == "..";
        if dots && bare.len() < segment.len() {
            return Err(UrlFault::DotParameters);
        }
        if segment == ".." {
            kept.pop();
        }
        if !dots {
            kept.push(segment);
        }
        open = dots;
    }
    if open {
        kept.push("");
    }
    Ok(format!("/{}", kept.join("/")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(raw: &str, expected: Result<&str, UrlFault>) {
        assert_eq!(NormalPath::read(raw).map(|path| path.to_string()), expected.map(str::to_owned), "{raw}");
    }

    #[test]
    fn paths_have_one_form() {
        check("/", Ok("/"));
        check("/v1/rates", Ok("/v1/rates"));
        check("/v1/%72ates", Ok("/v1/rates"));
        check("/v1/./a/../rates", Ok("/v1/rates"));
        check("/v1/%2e%2E/rates", Ok("/rates"));
        check("/v1/.%2e/", Ok("/"));
        check("/a/..", Ok("/"));
        check("/a/.", Ok("/a/"));
        check("/../../etc", Ok("/etc"));
        check("/a//b/", Ok("/a//b/"));
        check("/caf%c3%a9", Ok("/caf%C3%A9"));
        check("/a;b=1/c", Ok("/a;b=1/c"));
        check("/100%25", Ok("/100%25"));
        check("/x{y}|[z]", Ok("/x%7By%7D%7C%5Bz%5D"));
        check("/...", Ok("/..."));
    }

    #[test]
    fn what_is_read_in_two_ways_is_refused() {
        check("", Err(UrlFault::Start));
        check("v1", Err(UrlFault::Start));
        check("*", Err(UrlFault::Start));
        check("//evil.test/x", Err(UrlFault::Start));
        check("/.//x", Err(UrlFault::Start));
        check("/a/..//x", Err(UrlFault::Start));
        check("/a%2fb", Err(UrlFault::EncodedSlash));
        check("/a%2Fb", Err(UrlFault::EncodedSlash));
        check("/a\\..\\b", Err(UrlFault::Backslash));
        check("/a%5c..", Err(UrlFault::Backslash));
        check("/a%00", Err(UrlFault::EncodedControl));
        check("/a%0d%0a", Err(UrlFault::EncodedControl));
        check("/a\0", Err(UrlFault::Character));
        check("/a b", Err(UrlFault::Character));
        check("/é", Err(UrlFault::Character));
        check("/a%", Err(UrlFault::Percent));
        check("/a%zz", Err(UrlFault::Percent));
        check("/%252e%252e/", Err(UrlFault::EncodedTwice));
        check("/%25%32%65", Err(UrlFault::EncodedTwice));
        check("/%c0%ae%c0%ae/", Err(UrlFault::Encoding));
        check("/..;/admin", Err(UrlFault::DotParameters));
        check("/.;x=1/admin", Err(UrlFault::DotParameters));
        check("/..%3b/admin", Err(UrlFault::DotParameters));
    }
}
