//! A stored answer, which can be served again.

use crate::note::Note;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An answer. It is held in memory as a whole, up to the limit of the gateway, since it is stored before it is passed on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredResponse {
    /// The status.
    pub status: u16,
    /// The headers that are passed on, in order, names in lowercase; values have one character for each byte.
    pub headers: Vec<(String, String)>,
    /// The body, as it came; in base64 where it is written as JSON.
    #[serde(serialize_with = "encode", deserialize_with = "decode")]
    pub body: Bytes,
    /// Notes on changes to the request and to this answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

impl StoredResponse {
    /// The first value of a header, by its name in lowercase.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }
}

fn encode<S: Serializer>(body: &Bytes, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&STANDARD.encode(body))
}

fn decode<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Bytes, D::Error> {
    let text = String::deserialize(deserializer)?;
    STANDARD.decode(text).map(Bytes::from).map_err(serde::de::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_comes_back_from_json() {
        let answer = StoredResponse {
            status: 200,
            headers: vec![("x-name".to_owned(), "caf\u{e9}".to_owned())],
            body: Bytes::from_static(b"\x00\xff"),
            notes: vec![Note::AskedPlain],
        };
        let text = serde_json::to_string(&answer).unwrap();
        assert!(text.contains("\"AP8=\""), "{text}");
        assert_eq!(serde_json::from_str::<StoredResponse>(&text).unwrap(), answer);
    }
}
