//! The identity of a request to its receiver. It is the same through the bridge and through the proxy, and leaves out
//! headers that a client adds by itself.

use deed_canon::{ContentHash, TypeTag, hash_of};
use deed_reach::{alike, is_forwarding, is_of_connection};
use serde::{Deserialize, Serialize};

const EXACT: TypeTag = TypeTag::literal("deed/egress-effect/v1");
const TARGET: TypeTag = TypeTag::literal("deed/egress-target/v1");

/// Headers that clients and the gateway add by themselves, and that do not change what is asked for.
const INSIGNIFICANT: [&str; 10] = [
    "host",
    "content-length",
    "user-agent",
    "accept",
    "accept-encoding",
    "accept-language",
    "accept-charset",
    "cache-control",
    "pragma",
    "expect",
];

/// The identity of a request to its receiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct EffectIdentity {
    /// Over method, URL, body, and the headers that matter. A body that is JSON counts as its canonical form.
    pub exact: ContentHash,
    /// Over method, URL and body, each as far as it can matter: the order of a query, redundant slashes and the encoding of
    /// characters make no difference.
    pub target: ContentHash,
}

impl EffectIdentity {
    /// The identity of a request; none if it has no canonical form. `credential` is the header that carries a secret,
    /// which is not part of it.
    pub fn of<'h>(
        method: &str,
        url: &str,
        headers: impl Iterator<Item = (&'h str, &'h str)>,
        body: &[u8],
        credential: Option<&str>,
    ) -> Option<Self> {
        let target_body = ContentHash::of_bytes(&meant(body));
        let body = ContentHash::of_bytes(&canonical(body));
        let credential = credential.map(alike);
        let mut significant: Vec<(String, &str)> = headers
            .map(|(name, value)| (alike(name), value.trim()))
            .filter(|(name, _)| !is_of_connection(name) && !is_forwarding(name))
            .filter(|(name, _)| !INSIGNIFICANT.contains(&name.as_str()) && credential.as_ref() != Some(name))
            .collect();
        significant.sort();
        Some(Self {
            exact: hash_of(&EXACT, &(method, url, &significant, body)).ok()?,
            target: hash_of(&TARGET, &(method, address(url), query(url), target_body)).ok()?,
        })
    }
}

/// A body as it counts: canonical where it is JSON, and otherwise as it is.
fn canonical(body: &[u8]) -> Vec<u8> {
    let json =
        serde_json::from_slice::<serde_json::Value>(body).ok().filter(|value| value.is_object() || value.is_array());
    json.and_then(|value| deed_canon::to_canonical(&value).ok()).unwrap_or_else(|| body.to_vec())
}

/// Returns a body as it counts for the target: the pairs of a form are sorted.
fn meant(body: &[u8]) -> Vec<u8> {
    let form =
        std::str::from_utf8(body).ok().filter(|text| text.contains('=') && !text.contains([' ', '{', '[', '\n']));
    form.map_or_else(|| canonical(body), |form| pairs(form).join("&").into_bytes())
}

/// Returns the address of a URL without the query and without redundant slashes.
pub fn address(url: &str) -> String {
    let plain = url.split(['?', '#']).next().unwrap_or_default();
    let (scheme, rest) = plain.split_once("://").unwrap_or(("", plain));
    let parts: Vec<&str> = rest.split('/').filter(|part| !part.is_empty()).collect();
    format!("{scheme}://{}", parts.join("/"))
}

fn query(url: &str) -> Vec<String> {
    let query = url.split('#').next().and_then(|url| url.split_once('?')).map_or("", |(_, query)| query);
    pairs(query)
}

/// The pairs of a query or a form, decoded and in order.
fn pairs(text: &str) -> Vec<String> {
    let mut pairs: Vec<String> = text.split('&').filter(|pair| !pair.is_empty()).map(decoded).collect();
    pairs.sort();
    pairs
}

fn decoded(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((byte, tail)) = rest.split_first() {
        let hex = tail.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        let hex = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match (byte, hex) {
            (b'%', Some(value)) => {
                out.push(value);
                rest = tail.get(2..).unwrap_or_default();
            }
            (b'+', _) => {
                out.push(b' ');
                rest = tail;
            }
            _ => {
                out.push(*byte);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(headers: &[(&str, &str)], body: &str) -> EffectIdentity {
        let headers = headers.iter().copied();
        EffectIdentity::of("POST", "https://api.test/pay", headers, body.as_bytes(), Some("authorization")).unwrap()
    }

    #[test]
    fn the_same_request_in_other_words_is_the_same() {
        let plain = of(&[("content-type", "text/plain")], "x");
        for other in [
            &[("Content-Type", "text/plain")][..],
            &[("content-type", " text/plain ")],
            &[("content-type", "text/plain"), ("User-Agent", "curl"), ("Accept", "*/*"), ("Host", "api.test")],
            &[("x-forwarded-for", "10.0.0.1"), ("content-type", "text/plain")],
            &[("Authorization", "mine"), ("content-type", "text/plain"), ("Connection", "close")],
        ] {
            assert_eq!(of(other, "x"), plain, "{other:?}");
        }
    }

    #[test]
    fn another_header_is_another_request_to_the_same_target() {
        let (one, two) = (of(&[("x-account", "1")], "x"), of(&[("x-account", "2")], "x"));
        assert_ne!(one.exact, two.exact);
        assert_eq!(one.target, two.target);
        assert_ne!(of(&[], "x").target, of(&[], "y").target);
        assert_ne!(of(&[("idempotency-key", "a")], "x").exact, of(&[("idempotency-key", "b")], "x").exact);
    }

    #[test]
    fn json_counts_as_what_it_says() {
        assert_eq!(of(&[], r#"{"a":1,"b":"x"}"#).exact, of(&[], "{ \"b\": \"x\", \"a\": 1.0 }").exact);
        assert_ne!(of(&[], r#"{"a":1}"#).target, of(&[], r#"{"a":2}"#).target);
    }

    #[test]
    fn a_target_is_the_same_in_other_spellings() {
        let to = |url: &str, body: &str| {
            EffectIdentity::of("POST", url, std::iter::empty(), body.as_bytes(), None).unwrap().target
        };
        let plain = to("https://api.test/a?p=1&q=2", "x=a+b&y=2");
        for (url, body) in [
            ("https://api.test/a?q=2&p=1", "x=a+b&y=2"),
            ("https://api.test/a/?p=1&q=2&", "y=2&x=a%20b"),
            ("https://api.test//a?%70=1&q=2#f", "x=a+b&y=2"),
        ] {
            assert_eq!(to(url, body), plain, "{url} {body}");
        }
        assert_ne!(to("https://api.test/b?p=1&q=2", "x=a+b&y=2"), plain);
    }
}
