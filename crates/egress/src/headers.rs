//! Headers: which are passed on, which are dropped, and which no request may have.

use crate::note::{Dropped, Note};
use deed_model::EgressRule;
use deed_reach::{alike, is_descriptive, is_forwarding, is_of_connection, is_overriding};
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
    rule: Option<&EgressRule>,
    writer: Writer,
) -> Result<(Headers, Vec<Note>), OverridingHeader> {
    let nominated = nominated(&headers);
    let beside = rule.and_then(Beside::of);
    let mut kept = Vec::with_capacity(headers.len());
    let mut notes = Vec::new();
    for (name, value) in headers {
        let plain = alike(name.as_str());
        if is_overriding(&plain) {
            return Err(OverridingHeader(name.as_str().to_owned()));
        }
        let reason = reason_to_drop(&plain, beside.as_ref(), &nominated);
        match reason {
            None => kept.push((name, value)),
            Some(why) if writer == Writer::Script || is_told(why) => {
                notes.push(Note::HeaderDropped { name: name.as_str().to_owned(), why });
            }
            Some(_) => {}
        }
    }
    Ok((kept, notes))
}

/// Returns whether a client of the proxy gets a note too: its author has to know that the server does not see the header.
fn is_told(why: Dropped) -> bool {
    match why {
        Dropped::Credential | Dropped::Forwarding | Dropped::NotListed => true,
        Dropped::Connection | Dropped::Derived | Dropped::OtherHost => false,
    }
}

/// The header of a credential, and those that its rule lets code send beside it.
struct Beside {
    credential: String,
    allowed: Vec<String>,
}

impl Beside {
    fn of(rule: &EgressRule) -> Option<Self> {
        let credential = alike(&rule.credential.as_ref()?.header);
        Some(Self { credential, allowed: rule.headers.iter().map(|name| alike(name)).collect() })
    }
}

fn reason_to_drop(plain: &str, beside: Option<&Beside>, nominated: &[String]) -> Option<Dropped> {
    if beside.is_some_and(|beside| beside.credential == plain) {
        return Some(Dropped::Credential);
    }
    let allowed = beside.is_some_and(|beside| beside.allowed.iter().any(|name| name == plain));
    let hop = is_of_connection(plain) || nominated.iter().any(|name| name == plain);
    match plain {
        _ if hop => Some(Dropped::Connection),
        "host" | "content-length" => Some(Dropped::Derived),
        _ if allowed => None,
        _ if is_forwarding(plain) => Some(Dropped::Forwarding),
        _ if beside.is_some() && !is_descriptive(plain) => Some(Dropped::NotListed),
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

    fn rule(credential: &str, headers: &[&str]) -> EgressRule {
        let credential = serde_json::json!({ "secret": "secret://key", "header": credential });
        let rule = serde_json::json!({ "host": "api.test", "credential": credential, "headers": headers });
        serde_json::from_value(rule).unwrap()
    }

    fn names(lines: &[(&str, &str)], credential: Option<&str>) -> Vec<String> {
        let rule = credential.map(|credential| rule(credential, &[]));
        let (kept, _) = passed_on(headers(lines), rule.as_ref(), Writer::Client).unwrap();
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
        let (kept, notes) = passed_on(headers(&lines), Some(&rule("authorization", &[])), Writer::Client).unwrap();
        assert_eq!((kept.len(), notes.len()), (0, 3));
    }

    #[test]
    fn beside_a_credential_only_listed_headers_pass() {
        let lines =
            [("Content-Type", "a/b"), ("If-Match", "1"), ("X-User", "root"), ("Cookie", "a=b"), ("X-Tenant", "7")];
        assert_eq!(names(&lines, Some("authorization")), ["content-type", "if-match"]);
        assert_eq!(names(&lines, None).len(), 5);
        let rule = rule("authorization", &["X_Tenant"]);
        let (kept, notes) = passed_on(headers(&lines), Some(&rule), Writer::Client).unwrap();
        let kept: Vec<&str> = kept.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(kept, ["content-type", "if-match", "x-tenant"]);
        let dropped = |name: &str| Note::HeaderDropped { name: name.to_owned(), why: Dropped::NotListed };
        assert_eq!(notes, [dropped("x-user"), dropped("cookie")]);
    }

    #[test]
    fn headers_that_override_are_refused() {
        for name in ["X-HTTP-Method-Override", "x_http_method_override", "X-Original-URL", "x-forwarded-host"] {
            assert!(passed_on(headers(&[(name, "DELETE")]), None, Writer::Client).is_err(), "{name}");
        }
    }
}
