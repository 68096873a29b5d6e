//! What a request is to the other side, however it was written: through the bridge or through the proxy, with whatever
//! headers a client adds by itself.

use deed_canon::{ContentHash, TypeTag, hash_of};
use deed_reach::{alike, is_forwarding, is_of_connection};
use serde::{Deserialize, Serialize};

const EXACT: TypeTag = TypeTag::literal("deed/egress-effect/v1");
const TARGET: TypeTag = TypeTag::literal("deed/egress-target/v1");

/// Headers that clients and the gateway add by themselves, and that do not change what is asked for.
const INSIGNIFICANT: [&str; 11] = [
    "host",
    "content-length",
    "user-agent",
    "accept",
    "accept-encoding",
    "accept-language",
    "accept-charset",
    "cache-control",
    "pragma",
    "idempotency-key",
    "expect",
];

/// What a request is to the other side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct EffectIdentity {
    /// Over method, URL, body, and the headers that matter.
    pub exact: ContentHash,
    /// Over method, URL and body.
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
        let body = ContentHash::of_bytes(body);
        let credential = credential.map(alike);
        let mut significant: Vec<(String, &str)> = headers
            .map(|(name, value)| (alike(name), value.trim()))
            .filter(|(name, _)| !is_of_connection(name) && !is_forwarding(name))
            .filter(|(name, _)| !INSIGNIFICANT.contains(&name.as_str()) && credential.as_ref() != Some(name))
            .collect();
        significant.sort();
        Some(Self {
            exact: hash_of(&EXACT, &(method, url, &significant, body)).ok()?,
            target: hash_of(&TARGET, &(method, url, body)).ok()?,
        })
    }
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
            &[("x-forwarded-for", "10.0.0.1"), ("content-type", "text/plain"), ("Idempotency-Key", "mine")],
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
    }
}
