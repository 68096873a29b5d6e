//! Secrets that an answer repeats are replaced by their names.
//!
//! They are looked for as they are, percent-encoded, as a string of JSON, in base64, and, where the secret is itself a
//! user and a password in base64, decoded. This is best effort: a secret that a server repeats in
//! pieces, in other spellings, or compressed in an answer to a request without a credential is not found.

use super::credential::Credential;
use super::{Gateway, GatewayRequest};
use crate::error::FetchError;
use crate::note::Note;
use crate::stored::StoredResponse;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use bytes::Bytes;
use deed_diag::Invariant as _;
use deed_ports::Secret;
use std::sync::PoisonError;

/// The invariant of the rest of a body while it is searched.
const PART: &str = "the rest of a body is the end of what is copied";

/// A secret in all its spellings, and the mask that replaces it.
#[derive(PartialEq, Eq)]
pub(super) struct Concealed {
    name: String,
    mask: Vec<u8>,
    /// The longest first, so that none hides a longer one.
    spellings: Vec<Vec<u8>>,
}

impl Concealed {
    pub(super) fn new(name: &str, secret: &Secret) -> Self {
        let mut spellings: Vec<Vec<u8>> = spellings(secret.expose()).into_iter().map(String::into_bytes).collect();
        spellings.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        spellings.dedup();
        Self { name: name.to_owned(), mask: format!("[secret:{name}]").into_bytes(), spellings }
    }

    /// Returns the bytes without the secret, and the number of occurrences; none if there were none.
    fn replaced(&self, bytes: &[u8]) -> Option<(Vec<u8>, usize)> {
        let mut begins = [false; 256];
        for first in self.spellings.iter().filter_map(|spelling| spelling.first()) {
            if let Some(flag) = begins.get_mut(usize::from(*first)) {
                *flag = true;
            }
        }
        let (mut out, mut times, mut rest) = (Vec::new(), 0, bytes);
        let mut kept = rest;
        while let Some((first, tail)) = rest.split_first() {
            let maybe = begins.get(usize::from(*first)).copied().invariant("a byte has 256 values");
            let found = self.spellings.iter().find(|spelling| maybe && rest.starts_with(spelling));
            match found {
                None => rest = tail,
                Some(spelling) => {
                    out.extend_from_slice(kept.get(..kept.len() - rest.len()).invariant(PART));
                    out.extend_from_slice(&self.mask);
                    rest = rest.get(spelling.len()..).invariant(PART);
                    (kept, times) = (rest, times + 1);
                }
            }
        }
        out.extend_from_slice(kept);
        (times > 0).then_some((out, times))
    }

    /// Returns the bytes without the secret, if it was there.
    pub(super) fn masked(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        self.replaced(bytes).map(|(clean, _)| clean)
    }

    /// Returns true if the bytes are the beginning of the secret, and end before it does.
    pub(super) fn may_begin(&self, bytes: &[u8]) -> bool {
        self.spellings.iter().any(|spelling| spelling.len() > bytes.len() && spelling.starts_with(bytes))
    }

    /// Returns the length of the secret that the bytes begin with.
    pub(super) fn length_at(&self, bytes: &[u8]) -> Option<usize> {
        self.spellings.iter().find(|spelling| bytes.starts_with(spelling)).map(Vec::len)
    }

    fn replaced_text(&self, text: &str) -> Option<(String, usize)> {
        let (bytes, times) = self.replaced(text.as_bytes())?;
        Some((String::from_utf8_lossy(&bytes).into_owned(), times))
    }

    fn apply(&self, answer: &mut StoredResponse) {
        let mut total = 0;
        for (name, value) in &mut answer.headers {
            for text in [name, value] {
                if let Some((clean, times)) = self.replaced_text(text) {
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

fn spellings(secret: &str) -> Vec<String> {
    let quoted = serde_json::Value::from(secret).to_string();
    let percent = |lower: bool| -> String {
        let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~".contains(&b);
        let encoded = |b: u8| if lower { format!("%{b:02x}") } else { format!("%{b:02X}") };
        secret.bytes().map(|b| if plain(b) { char::from(b).to_string() } else { encoded(b) }).collect()
    };
    let mut all = vec![secret.to_owned(), quoted.trim_matches('"').to_owned(), percent(true), percent(false)];
    all.extend([STANDARD.encode(secret), STANDARD_NO_PAD.encode(secret), URL_SAFE_NO_PAD.encode(secret)]);
    let decoded = STANDARD.decode(secret).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    if let Some((user, password)) = decoded.as_deref().and_then(|text| text.split_once(':')) {
        all.push(format!("{user}:{password}"));
        all.push(password.to_owned());
    }
    // As a form has it, and in hexadecimal digits.
    all.extend([percent(false).replace("%20", "+"), percent(true).replace("%20", "+")]);
    all.push(secret.bytes().map(|b| format!("{b:02x}")).collect());
    all.push(secret.bytes().map(|b| format!("{b:02X}")).collect());
    all.extend(within_base64(secret));
    all.retain(|spelling| spelling.len() >= 4);
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
    fn a_secret_is_found_in_all_its_spellings() {
        check("s3cr+t/\"x", "a s3cr+t/\"x b s3cr+t/\"x", "a [secret:key] b [secret:key]");
        check("s3cr+t/\"x", "{\"k\":\"s3cr+t/\\\"x\"}", "{\"k\":\"[secret:key]\"}");
        check("s3cr+t/\"x", "?k=s3cr%2Bt%2F%22x&s3cr%2bt%2f%22x", "?k=[secret:key]&[secret:key]");
        check("tok-123456", &STANDARD.encode("tok-123456"), "[secret:key]");
        check(&STANDARD.encode("bob:hunter22"), "bob has hunter22", "bob has [secret:key]");
        check("tok-123456", "nothing here", "nothing here");
        check("aaaa", "aaaaaaab", "[secret:key]aaab");
    }
}
