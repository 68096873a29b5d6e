//! Secrets that an answer repeats are replaced by their names.
//!
//! They are looked for as they are, in hexadecimal digits, in base64, and, where the secret is itself a user and a password
//! in base64, decoded; in each of these forms, any character may be escaped ([`spelled`](super::spelled)). What is parsed as
//! JSON is searched again. This is best effort: a secret that a server repeats in pieces, backwards, or compressed in an
//! answer to a request without a credential is not found.

use super::credential::Credential;
use super::spelled::{Sought, first};
use super::{Gateway, GatewayRequest};
use crate::error::FetchError;
use crate::headers::text_of;
use crate::note::Note;
use crate::stored::StoredResponse;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use bytes::Bytes;
use deed_diag::Invariant as _;
use deed_ports::Secret;
use serde_json::Value;
use std::sync::PoisonError;

/// The invariant of the parts of a text that is searched.
const PART: &str = "a part of a text lies within it";

/// A secret in all its forms, and the mask that replaces it.
#[derive(PartialEq, Eq)]
pub(super) struct Concealed {
    name: String,
    mask: Vec<u8>,
    forms: Vec<Sought>,
}

impl Concealed {
    pub(super) fn new(name: &str, secret: &Secret) -> Self {
        Self { name: name.to_owned(), mask: format!("[secret:{name}]").into_bytes(), forms: forms(secret.expose()) }
    }

    /// Returns the bytes without the secret, and the number of occurrences; none if there were none.
    fn replaced(&self, bytes: &[u8]) -> Option<(Vec<u8>, usize)> {
        let mut begins = [false; 256];
        self.mark_begins(&mut begins);
        let (mut out, mut times, mut kept, mut at) = (Vec::new(), 0, 0, 0);
        while let Some(byte) = bytes.get(at) {
            let maybe = begins.get(usize::from(*byte)).copied().invariant("a byte has 256 values");
            match maybe.then(|| self.end(bytes, at)).flatten() {
                None => at += 1,
                Some(end) => {
                    out.extend_from_slice(bytes.get(kept..at).invariant(PART));
                    out.extend_from_slice(&self.mask);
                    (at, kept, times) = (end, end, times + 1);
                }
            }
        }
        out.extend_from_slice(bytes.get(kept..).invariant(PART));
        (times > 0).then_some((out, times))
    }

    /// Returns the bytes without the secret, if it was there.
    pub(super) fn masked(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        self.replaced(bytes).map(|(clean, _)| clean)
    }

    /// Marks each byte at which an occurrence may begin.
    pub(super) fn mark_begins(&self, begins: &mut [bool; 256]) {
        self.forms.iter().for_each(|form| form.mark_begins(begins));
    }

    /// Returns true if the bytes may be the beginning of the secret, and end before it does.
    pub(super) fn may_begin(&self, bytes: &[u8]) -> bool {
        self.forms.iter().any(|form| form.may_begin(bytes))
    }

    /// Returns the length of the secret that the bytes begin with.
    pub(super) fn length_at(&self, bytes: &[u8]) -> Option<usize> {
        self.end(bytes, 0)
    }

    /// The place behind the longest form that begins at `at`.
    fn end(&self, bytes: &[u8], at: usize) -> Option<usize> {
        let first = first(bytes, at);
        let forms = self.forms.iter().filter(|form| form.begins_with(&first));
        forms.filter_map(|form| form.end(bytes, at)).max()
    }

    /// The same for a header, which has one character for each byte.
    fn replaced_header(&self, text: &str) -> Option<(String, usize)> {
        let bytes: Option<Vec<u8>> = text.chars().map(|letter| u8::try_from(u32::from(letter)).ok()).collect();
        let (bytes, times) = self.replaced(bytes.as_deref().unwrap_or(text.as_bytes()))?;
        Some((text_of(&bytes), times))
    }

    fn replaced_text(&self, text: &str) -> Option<String> {
        let (bytes, _) = self.replaced(text.as_bytes())?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn apply_to_json(&self, value: &mut Value) {
        match value {
            Value::String(text) => self.replaced_text(text).into_iter().for_each(|clean| *text = clean),
            Value::Array(items) => items.iter_mut().for_each(|item| self.apply_to_json(item)),
            Value::Object(members) => {
                members.values_mut().for_each(|member| self.apply_to_json(member));
                let renamed: Vec<(String, String)> =
                    members.keys().filter_map(|key| Some((key.clone(), self.replaced_text(key)?))).collect();
                for (key, clean) in renamed {
                    if let Some(member) = members.remove(&key) {
                        members.insert(clean, member);
                    }
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn apply(&self, answer: &mut StoredResponse) {
        let mut total = 0;
        for (name, value) in &mut answer.headers {
            for text in [name, value] {
                if let Some((clean, times)) = self.replaced_header(text) {
                    total += times;
                    *text = clean;
                }
            }
        }
        if let Some((clean, times)) = self.replaced(&answer.body) {
            total += times;
            answer.body = Bytes::from(clean);
        }
        if total > 0 {
            answer.notes.push(Note::SecretConcealed { secret: self.name.clone(), times: total });
        }
    }
}

fn forms(secret: &str) -> Vec<Sought> {
    let mut all: Vec<Sought> = vec![Sought::new(secret)];
    all.extend(
        [STANDARD.encode(secret), STANDARD_NO_PAD.encode(secret), URL_SAFE_NO_PAD.encode(secret)].map(Sought::new),
    );
    let decoded = STANDARD.decode(secret).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    if let Some((user, password)) = decoded.as_deref().and_then(|text| text.split_once(':')) {
        all.push(Sought::new(format!("{user}:{password}")));
        all.push(Sought::new(password));
    }
    all.push(Sought::in_any_case(secret.bytes().map(|b| format!("{b:02x}")).collect::<String>()));
    all.extend(within_base64(secret).into_iter().map(Sought::new));
    all.retain(|form| form.len() >= 4);
    all
}

/// Returns the parts of a longer text in base64 that depend on the secret alone, for each of the three offsets at which it
/// can begin; a user and a password are such a text. Short secrets leave too little to tell them by.
fn within_base64(secret: &str) -> Vec<String> {
    if secret.len() < 8 {
        return Vec::new();
    }
    let shifted = |before: usize| {
        let padded = format!("{}{secret}", "\0".repeat(before));
        let encoded = STANDARD_NO_PAD.encode(padded);
        // The first characters also depend on what stands before, the last one on what follows.
        let begin = (before * 8).div_ceil(6);
        let end = encoded.len() - usize::from(!(before + secret.len()).is_multiple_of(3));
        encoded.get(begin..end).invariant("base64 of eight bytes is longer than what is cut off").to_owned()
    };
    let standard: Vec<String> = (0..3).map(shifted).collect();
    let url_safe = standard.iter().map(|text| text.replace('+', "-").replace('/', "_")).collect::<Vec<_>>();
    standard.into_iter().chain(url_safe).collect()
}

impl Gateway {
    /// Returns the answer without any secret that was sent so far, with all notes.
    pub(super) fn concealed(
        &self,
        mut answer: StoredResponse,
        ask: GatewayRequest,
        credential: Option<&Credential>,
    ) -> Result<StoredResponse, FetchError> {
        let encoding = answer.header("content-encoding").filter(|encoding| !encoding.eq_ignore_ascii_case("identity"));
        if let (Some(encoding), Some(_), false) = (encoding, credential, answer.body.is_empty()) {
            let encoding = encoding.chars().filter(|c| c.is_ascii_alphanumeric()).take(20).collect();
            return Err(FetchError::Encoded { encoding });
        }
        answer.notes = ask.notes_of(credential);
        let sent = self.inner.sent.lock().unwrap_or_else(PoisonError::into_inner).clone();
        sent.iter().for_each(|concealed| concealed.apply(&mut answer));
        Ok(answer)
    }

    /// Conceals every secret that was sent so far in the keys and texts of a parsed answer.
    pub fn conceal_json(&self, value: &mut Value) {
        let sent = self.inner.sent.lock().unwrap_or_else(PoisonError::into_inner).clone();
        sent.iter().for_each(|concealed| concealed.apply_to_json(value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(secret: &str, text: &str, expected: &str) {
        let concealed = Concealed::new("key", &Secret::new(secret));
        let found = concealed.replaced(text.as_bytes()).map(|(bytes, _)| String::from_utf8(bytes).unwrap());
        assert_eq!(found.as_deref().unwrap_or(text), expected);
    }

    #[test]
    fn a_secret_is_found_in_all_its_forms() {
        check("s3cr+t/\"x", "a s3cr+t/\"x b s3cr+t/\"x", "a [secret:key] b [secret:key]");
        check("s3cr+t/\"x", "{\"k\":\"s3cr+t/\\\"x\"}", "{\"k\":\"[secret:key]\"}");
        check("s3cr+t/\"x", "?k=s3cr%2Bt%2F%22x&s3cr%2bt%2f%22x", "?k=[secret:key]&[secret:key]");
        check("tok-123456", &STANDARD.encode("tok-123456"), "[secret:key]");
        check("tok-123456", "746F6b2d313233343536", "[secret:key]");
        check(&STANDARD.encode("bob:hunter22"), "bob has hunter22", "bob has [secret:key]");
        check("tok-123456", "nothing here", "nothing here");
        check("aaaa", "aaaaaaab", "[secret:key]aaab");
        check("two words", "two+words two%20words", "[secret:key] [secret:key]");
    }

    #[test]
    fn a_secret_is_found_in_every_escaping() {
        let secret = "wJal/r&XU+MDENG'bP<xR==";
        for text in [
            r#"{"k":"wJal\/r&XU+MDENG'bP<xR=="}"#,
            r#"{"k":"wJal/r\u0026XU\u002BMDENG\u0027bP\u003CxR\u003d\u003D"}"#,
            r#"{"k":"wJal/r\x26XU\x2bMDENG\'bP\x3CxR\075="}"#,
            r#"{"k":"wJal&#47;r&amp;XU&plus;MDENG&apos;bP&lt;xR&#x3d;&#x003D;"}"#,
            r#"{"k":"wJal%2fr%26XU%2BMDENG%27bP%3cxR%3D="}"#,
            // Escaped more than once.
            r#"{"k":"{\"k\":\"wJal\\\/r\\u0026XU\\u002BMDENG'bP<xR==\"}"}"#,
            r#"{"k":"wJal%252Fr\u0026amp;XU%26%2343%3BMDENG&amp;#39;bP&amp;lt;xR%5Cu003d="}"#,
            r#"{"k":"\u{77}\U0000004aal/r%u0026XU+MDENG'bP<xR=="}"#,
        ] {
            let expected =
                if text.contains("{\\\"") { r#"{"k":"{\"k\":\"[secret:key]\"}"}"# } else { r#"{"k":"[secret:key]"}"# };
            check(secret, text, expected);
        }
        // The base64 of it is escaped as well, and broken into lines.
        let encoded = STANDARD.encode("wJal/r&XU+MDENG?>~").replace('/', "\\/").replace('=', "\\u003d");
        check("wJal/r&XU+MDENG?>~", &encoded, "[secret:key]");
        let whole = STANDARD.encode("tok-1234567890");
        let (begin, end) = whole.split_at(8);
        check("tok-1234567890", &format!("{begin}\\r\\n{end}"), "[secret:key]");
        check("tok-1234567890", &format!("{begin}\n{end}"), "[secret:key]");
    }

    #[test]
    fn a_secret_is_found_in_utf_16() {
        let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
        let concealed = Concealed::new("key", &Secret::new("tok-123+56"));
        for text in ["tok-123+56", "tok-123\\u002B56"] {
            let (bytes, times) = concealed.replaced(&wide(&format!("a{text}b"))).unwrap();
            assert_eq!((bytes, times), ([b"a\0".as_slice(), b"[secret:key]", b"\0b\0"].concat(), 1));
        }
    }

    #[test]
    fn parsed_json_is_searched_in_keys_and_texts() {
        let gateway_form = Concealed::new("key", &Secret::new("tok-123456"));
        let mut value = serde_json::json!({"a tok-123456": ["tok-123456", {"k": "tok&#45;123456"}], "n": 1});
        gateway_form.apply_to_json(&mut value);
        assert_eq!(value, serde_json::json!({"a [secret:key]": ["[secret:key]", {"k": "[secret:key]"}], "n": 1}));
    }

    /// Of the many ways to read a long run of characters that begin an escape, each is followed once.
    #[test]
    fn runs_of_escapes_are_searched_to_their_end() {
        let concealed = Concealed::new("key", &Secret::new("\\\\\\\\%%%%&&&&secret"));
        for run in ["\\", "%", "&", "&a", "%5C", "&#", "&amp;", "\\u005c"] {
            assert!(concealed.replaced(run.repeat(300).as_bytes()).is_none(), "{run}");
        }
    }

    /// A character in one of its spellings.
    fn spelled(byte: u8, way: u8) -> String {
        let named = |byte: u8| match byte {
            b'&' => "&amp;".to_owned(),
            b'<' => "&lt;".to_owned(),
            b'>' => "&gt;".to_owned(),
            b'"' => "&quot;".to_owned(),
            b'/' => "&sol;".to_owned(),
            b'+' => "&plus;".to_owned(),
            other => format!("&#{other};"),
        };
        match way % 10 {
            0 => format!("\\u{byte:04x}"),
            1 => format!("\\u{byte:04X}"),
            2 => format!("\\x{byte:02x}"),
            3 => format!("%{byte:02x}"),
            4 => format!("%{byte:02X}"),
            5 => named(byte),
            6 => format!("&#x{byte:02X};"),
            7 => format!("&#x000{byte:02x};"),
            8 if !byte.is_ascii_alphanumeric() => format!("\\{}", char::from(byte)),
            _ => char::from(byte).to_string(),
        }
    }

    proptest::proptest! {
        #[test]
        fn a_secret_is_found_with_each_character_spelled_at_random(
            secret in "[!-~]{8,40}",
            ways in proptest::collection::vec(proptest::num::u8::ANY, 40),
        ) {
            let text: String = secret.bytes().zip(&ways).map(|(byte, way)| spelled(byte, *way)).collect();
            let concealed = Concealed::new("key", &Secret::new(secret.as_str()));
            let (found, _) = concealed.replaced(format!("a {text} b").as_bytes()).unwrap();
            proptest::prop_assert_eq!(String::from_utf8(found).unwrap(), "a [secret:key] b");
        }
    }
}
