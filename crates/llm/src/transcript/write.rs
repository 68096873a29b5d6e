//! Writing transcripts.

use super::{Transcript, TranscriptFault};
use deed_canon::{ChainHead, append, to_canonical_of};
use deed_detect::SecretScanner;
use deed_diag::Invariant as _;
use deed_model::{RecordedModelCall, TranscriptEnd, TranscriptHead, TranscriptLine};

/// The end of a transcript that is being written.
#[derive(Debug, Clone, Default)]
pub(super) struct Writing {
    head: Option<ChainHead>,
    lines: usize,
    calls: u64,
}

impl Writing {
    /// Returns the first line.
    pub(super) fn begin(&mut self) -> Result<Vec<u8>, TranscriptFault> {
        self.line(&TranscriptLine::Head(TranscriptHead { format: 1 }))
    }

    /// Returns the line of a call.
    pub(super) fn call(&mut self, call: &RecordedModelCall) -> Result<Vec<u8>, TranscriptFault> {
        let line = self.line(&TranscriptLine::Call(Box::new(call.clone())))?;
        self.calls += 1;
        Ok(line)
    }

    /// Returns the last line.
    pub(super) fn end(mut self) -> Result<Vec<u8>, TranscriptFault> {
        let calls = self.calls;
        self.line(&TranscriptLine::End(TranscriptEnd { calls }))
    }

    fn line(&mut self, body: &TranscriptLine) -> Result<Vec<u8>, TranscriptFault> {
        let number = self.lines + 1;
        let unwritable = || TranscriptFault::Line(number);
        let body = serde_json::to_value(body).map_err(|_| unwritable())?;
        let link = append(self.head.as_ref(), body).map_err(|_| unwritable())?;
        let mut bytes = to_canonical_of(&link).map_err(|_| unwritable())?;
        without_credential(number, &bytes)?;
        bytes.push(b'\n');
        self.head = Some(link.head());
        self.lines = number;
        Ok(bytes)
    }
}

/// Refuses a line with what looks like a credential.
pub(super) fn without_credential(line: usize, bytes: &[u8]) -> Result<(), TranscriptFault> {
    let text = std::str::from_utf8(bytes).invariant("canonical JSON is UTF-8");
    match SecretScanner::standard().scan(text).first() {
        None => Ok(()),
        Some(found) => Err(TranscriptFault::Credential { line, rule: found.rule_id.to_string() }),
    }
}

impl Transcript {
    /// Writes the transcript.
    ///
    /// # Errors
    /// A call holds what looks like a credential, or has no canonical form.
    pub fn write(&self) -> Result<Vec<u8>, TranscriptFault> {
        let mut writing = Writing::default();
        let mut bytes = writing.begin()?;
        for call in &self.calls {
            bytes.extend(writing.call(call)?);
        }
        bytes.extend(writing.end()?);
        Ok(bytes)
    }
}
