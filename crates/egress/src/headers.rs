//! Headers: which are passed on, which are dropped, and which no request may have.

use crate::note::{Dropped, Note};
use deed_reach::{alike, is_forwarding, is_of_connection, is_overriding};
use http::{HeaderName, HeaderValue};

/// Headers in their order; names in lowercase.
pub(crate) type Headers = Vec<(HeaderName, HeaderValue)>;

/// The author of a request's headers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Writer {
    /// A script, which gets a note on every dropped header.
    Script,
    /// A client of the proxy, which always sends headers of the connection.
    Client,
}

/// A header that no request may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OverridingHeader(pub(crate) String);

/// The headers that are passed on, and what was dropped of the others.
pub(crate) fn passed_on(
    headers: Headers,
    credential: Option<&str>,
    writer: Writer,
) -> Result<(Headers, Vec<Note>), OverridingHeader> {
    let nominated = nominated(&headers);
    let credential = credential.map(alike);
    let mut kept = Vec::with_capacity(headers.len());
    let mut notes = Vec::new();
    for (name, value) in headers {
        let plain = alike(name.as_str());
        if is_overriding(&plain) {
            return Err(OverridingHeader(name.as_str().to_owned()));
        }
        let reason = reason_to_drop(&plain, credential.as_deref(), &nominated);
        match reason {
            None => kept.push((name, value)),
            Some(why) if writer == Writer::Script || matches!(why, Dropped::Credential | Dropped::Forwarding) => {
                notes.push(Note::HeaderDropped { name: name.as_str().to_owned(), why });
            }
            Some(_) => {}
        }
    }
    Ok((kept, notes))
}

fn reason_to_drop(plain: &str, credential: Option<&str>, nominated: &[String]) -> Option<Dropped> {
    if credential == Some(plain) {
        return Some(Dropped::Credential);
    }
    let hop = is_of_connection(plain) || nominated.iter().any(|name| name == plain);
    match plain {
        _ if hop => Some(Dropped::Connection),
        _ if is_forwarding(plain) => Some(Dropped::Forwarding),
        "host" | "content-length" => Some(Dropped::Derived),
        _ => None,
    }
}

/// The headers of an answer that are passed on.
pub(crate) fn answered(headers: Headers) -> Headers {
    let nominated = nominated(&headers);
    let passes =
        |plain: &str| !is_of_connection(plain) && plain != "alt-svc" && !nominated.iter().any(|name| name == plain);
    headers.into_iter().filter(|(name, _)| passes(&alike(name.as_str()))).collect()
}

/// The headers that `Connection` names.
fn nominated(headers: &Headers) -> Vec<String> {
    let values = headers.iter().filter(|(name, _)| name == http::header::CONNECTION);
    let words = values.flat_map(|(_, value)| value.as_bytes().split(|b| *b == b','));
    words.map(|word| alike(String::from_utf8_lossy(word).trim())).collect()
}

/// A value as text, one character for each byte.
pub(crate) fn text_of(value: &[u8]) -> String {
    value.iter().map(|byte| char::from(*byte)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(lines: &[(&str, &str)]) -> Headers {
        lines.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect()
    }

    fn names(lines: &[(&str, &str)], credential: Option<&str>) -> Vec<String> {
        let (kept, _) = passed_on(headers(lines), credential, Writer::Client).unwrap();
        kept.into_iter().map(|(name, _)| name.as_str().to_owned()).collect()
    }

    #[test]
    fn headers_of_the_connection_are_dropped() {
        let lines = [("Connection", "close, X-Own"), ("x-own", "1"), ("Proxy-Authorization", "x"), ("TE", "trailers")];
        assert_eq!(names(&lines, None), Vec::<String>::new());
        assert_eq!(names(&[("Accept", "*/*"), ("Host", "evil.test")], None), ["accept"]);
    }

    #[test]
    fn the_header_of_a_credential_is_dropped_in_all_spellings() {
        assert_eq!(names(&[("X_API_KEY", "mine"), ("x-api-key", "mine")], Some("X-Api-Key")), Vec::<String>::new());
    }

    #[test]
    fn headers_that_claim_another_client_are_dropped_and_noted() {
        let lines = [("Forwarded", "for=10.0.0.1"), ("X-Forwarded-For", "10.0.0.1"), ("X-Real-IP", "10.0.0.1")];
        let (kept, notes) = passed_on(headers(&lines), Some("authorization"), Writer::Client).unwrap();
        assert_eq!((kept.len(), notes.len()), (0, 3));
    }

    #[test]
    fn headers_that_override_are_refused() {
        for name in ["X-HTTP-Method-Override", "x_http_method_override", "X-Original-URL", "x-forwarded-host"] {
            assert!(passed_on(headers(&[(name, "DELETE")]), None, Writer::Client).is_err(), "{name}");
        }
    }
}
