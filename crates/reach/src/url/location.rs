//! A whole URL: read, joined with a redirect, and written as it is sent.

use super::{Host, NormalPath, UrlFault};
use deed_model::EgressScheme;
use std::fmt;

const LONGEST_URL: usize = 16 * 1024;

/// The destination of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// The scheme.
    pub scheme: EgressScheme,
    /// The host.
    pub host: Host,
    /// The port.
    pub port: u16,
    /// The path.
    pub path: NormalPath,
    /// The query, without its question mark.
    pub query: Option<String>,
}

impl Location {
    /// Reads an absolute URL. A fragment is cut off: it is never sent.
    pub fn read(url: &str) -> Result<Self, UrlFault> {
        if url.len() > LONGEST_URL {
            return Err(UrlFault::TooLong);
        }
        let (scheme, rest) = scheme(url).ok_or(UrlFault::Scheme)?;
        let rest = rest.split('#').next().unwrap_or(rest);
        let (before, asked) = match rest.split_once('?') {
            Some((before, asked)) => (before, Some(asked)),
            None => (rest, None),
        };
        let (place, path) = match before.split_once('/') {
            Some((place, path)) => (place, format!("/{path}")),
            None => (before, "/".to_owned()),
        };
        let (host, port) = read_authority(place)?;
        let query = asked.map(read_query).transpose()?;
        Ok(Self { scheme, host, port: port.unwrap_or(scheme.port()), path: NormalPath::read(&path)?, query })
    }

    /// Resolves a redirect from this destination.
    pub fn join(&self, reference: &str) -> Result<Self, UrlFault> {
        let reference = reference.split('#').next().unwrap_or(reference);
        if scheme(reference).is_some() {
            return Self::read(reference);
        }
        if reference.starts_with("//") {
            return Self::read(&format!("{}:{reference}", self.scheme.as_str()));
        }
        let (path, asked) = match reference.split_once('?') {
            Some((path, asked)) => (path, Some(asked)),
            None => (reference, None),
        };
        if path.split('/').next().is_some_and(|first| first.contains(':')) {
            return Err(UrlFault::Scheme);
        }
        let own = self.path.as_str();
        let path = match path {
            "" => own.to_owned(),
            _ if path.starts_with('/') => path.to_owned(),
            _ => format!("{}/{path}", own.rsplit_once('/').map_or("", |(folder, _)| folder)),
        };
        let query = asked.map(read_query).transpose()?;
        Ok(Self { path: NormalPath::read(&path)?, query, host: self.host.clone(), ..*self })
    }

    /// The host, with the port where it is not that of the scheme: what the header `Host` says.
    pub fn authority(&self) -> String {
        if self.port == self.scheme.port() { self.host.to_string() } else { format!("{}:{}", self.host, self.port) }
    }

    /// Path and query: what the first line of a request says.
    pub fn path_and_query(&self) -> String {
        match &self.query {
            Some(query) => format!("{}?{query}", self.path),
            None => self.path.to_string(),
        }
    }

    /// Returns whether scheme, host and port are the same.
    pub fn has_origin_of(&self, other: &Self) -> bool {
        (self.scheme, &self.host, self.port) == (other.scheme, &other.host, other.port)
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}{}", self.scheme.as_str(), self.authority(), self.path_and_query())
    }
}

fn scheme(url: &str) -> Option<(EgressScheme, &str)> {
    let (word, rest) = url.split_once("://")?;
    let known = [EgressScheme::Https, EgressScheme::Http];
    known.into_iter().find(|scheme| word.eq_ignore_ascii_case(scheme.as_str())).map(|scheme| (scheme, rest))
}

/// Reads `host` or `host:port`.
pub fn read_authority(text: &str) -> Result<(Host, Option<u16>), UrlFault> {
    if text.contains('@') {
        return Err(UrlFault::User);
    }
    let end = text.find(']').map_or(0, |at| at + 1);
    let (host, port) = match text.get(end..).and_then(|tail| tail.find(':')) {
        Some(at) => (text.get(..end + at).unwrap_or(text), text.get(end + at + 1..)),
        None => (text, None),
    };
    if end > 0 && !(host.starts_with('[') && host.ends_with(']')) {
        return Err(UrlFault::Host);
    }
    Ok((Host::read(host)?, port.map(number).transpose()?))
}

fn number(port: &str) -> Result<u16, UrlFault> {
    let plain = !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit());
    port.parse().ok().filter(|port| plain && *port > 0).ok_or(UrlFault::Port)
}

/// Checks a query, and encodes the few printable characters that have no place in one.
pub fn read_query(raw: &str) -> Result<String, UrlFault> {
    let mut text = String::with_capacity(raw.len());
    for letter in raw.chars() {
        match letter {
            '"' => text.push_str("%22"),
            '<' => text.push_str("%3C"),
            '>' => text.push_str("%3E"),
            '#' => return Err(UrlFault::Fragment),
            _ if letter.is_ascii_graphic() => text.push(letter),
            _ => return Err(UrlFault::Character),
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(url: &str, expected: Result<&str, UrlFault>) {
        assert_eq!(Location::read(url).map(|url| url.to_string()), expected.map(str::to_owned), "{url}");
    }

    #[test]
    fn urls_have_one_form() {
        check("HTTPS://API.example.test:443/v1/../x?a=b#c", Ok("https://api.example.test/x?a=b"));
        check("http://example.test", Ok("http://example.test/"));
        check("http://example.test?q", Ok("http://example.test/?q"));
        check("http://example.test:8080/", Ok("http://example.test:8080/"));
        check("https://[::1]:8443/", Ok("https://[::1]:8443/"));
        check("https://e.test/?q=<\">", Ok("https://e.test/?q=%3C%22%3E"));
    }

    #[test]
    fn odd_urls_are_refused() {
        check("ftp://example.test/", Err(UrlFault::Scheme));
        check("example.test/", Err(UrlFault::Scheme));
        check("https://user:pass@example.test/", Err(UrlFault::User));
        check("https://example.test\\@evil.test/", Err(UrlFault::User));
        check("https://example.test\\.evil.test/", Err(UrlFault::Host));
        check("https:///x", Err(UrlFault::Host));
        check("https://e.test:/", Err(UrlFault::Port));
        check("https://e.test:0/", Err(UrlFault::Port));
        check("https://e.test:+80/", Err(UrlFault::Port));
        check("https://e.test:65536/", Err(UrlFault::Port));
        check("https://e.test:80:80/", Err(UrlFault::Port));
        check("https://x[::1]/", Err(UrlFault::Host));
        check("https://[::1]x/", Err(UrlFault::Host));
        check("https://e.test/\n", Err(UrlFault::Character));
        check("https://e.test/?a b", Err(UrlFault::Character));
        check(&format!("https://e.test/{}", "a".repeat(LONGEST_URL)), Err(UrlFault::TooLong));
    }

    #[test]
    fn redirects_are_joined() {
        let from = Location::read("https://e.test/a/b?x=1").unwrap();
        let join = |reference: &str| from.join(reference).map(|to| to.to_string());
        assert_eq!(join("c"), Ok("https://e.test/a/c".to_owned()));
        assert_eq!(join("../c?y"), Ok("https://e.test/c?y".to_owned()));
        assert_eq!(join("/c#f"), Ok("https://e.test/c".to_owned()));
        assert_eq!(join("?z"), Ok("https://e.test/a/b?z".to_owned()));
        assert_eq!(join("//f.test/c"), Ok("https://f.test/c".to_owned()));
        assert_eq!(join("http://f.test/"), Ok("http://f.test/".to_owned()));
        assert_eq!(join("javascript:alert(1)"), Err(UrlFault::Scheme));
        assert_eq!(join("file:///etc/passwd"), Err(UrlFault::Scheme));
    }
}
