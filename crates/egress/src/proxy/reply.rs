//! An answer as the client of the proxy gets it.

use crate::stored::StoredResponse;
use bytes::Bytes;
use http::StatusCode;
use std::io;
use tokio::io::{AsyncWrite, AsyncWriteExt};

/// An answer to a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reply {
    pub(super) status: u16,
    /// The reason phrase of the status line, which is all that some clients show.
    pub(super) reason: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Bytes,
}

impl From<StoredResponse> for Reply {
    fn from(answer: StoredResponse) -> Self {
        let known = StatusCode::from_u16(answer.status).ok().and_then(|status| status.canonical_reason());
        let mut headers = answer.headers;
        headers.extend(answer.notes.iter().map(|note| ("deed-egress-note".to_owned(), note.to_string())));
        Self { status: answer.status, reason: known.unwrap_or("Answered").to_owned(), headers, body: answer.body }
    }
}

/// The form of an answer, as the request asks for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Form {
    /// True if it asked for the head only.
    pub(super) head_only: bool,
    /// True if the connection stays open afterwards.
    pub(super) stays: bool,
}

impl Reply {
    pub(super) async fn write(&self, stream: &mut (impl AsyncWrite + Unpin), form: Form) -> io::Result<()> {
        let mut bytes = line(&format!("HTTP/1.1 {} {}", self.status, self.reason));
        let bodiless = matches!(self.status, 100..=199 | 204 | 304);
        // Only an answer without a body may have the length that the server gave.
        let foreign = form.head_only || bodiless;
        for (name, value) in self.headers.iter().filter(|(name, _)| foreign || name != "content-length") {
            bytes.extend(line(&format!("{name}: {value}")));
        }
        if !foreign {
            bytes.extend(line(&format!("content-length: {}", self.body.len())));
        }
        if !form.stays {
            bytes.extend(line("connection: close"));
        }
        bytes.extend_from_slice(b"\r\n");
        stream.write_all(&bytes).await?;
        if !foreign {
            stream.write_all(&self.body).await?;
        }
        stream.flush().await
    }
}

/// Returns a text as one line: one byte for each character, and no control characters.
fn line(text: &str) -> Vec<u8> {
    let byte = |letter: char| match u8::try_from(u32::from(letter)) {
        Ok(byte) if !byte.is_ascii_control() || byte == b'\t' => byte,
        Ok(_) => b' ',
        Err(_) => b'?',
    };
    text.chars().map(byte).chain(*b"\r\n").collect()
}
