//! Reading and verifying transcripts. A transcript that is read was verified.

use super::write::without_credential;
use super::{Transcript, TranscriptFault};
use crate::key::call_key;
use deed_canon::{Link, to_canonical_of, verify_chain};
use deed_model::{RecordedModelCall, TranscriptLine};
use std::collections::BTreeSet;

impl Transcript {
    /// Reads and verifies a transcript.
    ///
    /// # Errors
    /// The first fault: a line that is not canonical, a broken chain, a missing end, a wrong key, a credential.
    pub fn read(bytes: &[u8]) -> Result<Self, TranscriptFault> {
        let links = links(bytes)?;
        verify_chain(&links, None).map_err(|found| TranscriptFault::Chain {
            line: usize::try_from(found.seq).unwrap_or(usize::MAX).saturating_add(1),
            why: found.kind.to_string(),
        })?;
        let lines = links
            .iter()
            .zip(1..)
            .map(|(link, line)| serde_json::from_value(link.body.clone()).map_err(|_| TranscriptFault::Line(line)));
        let lines = lines.collect::<Result<Vec<TranscriptLine>, _>>()?;
        let calls = calls(lines)?;
        Ok(Self { calls, head: links.last().map(Link::head) })
    }
}

fn links(bytes: &[u8]) -> Result<Vec<Link>, TranscriptFault> {
    let mut links = Vec::new();
    let Some(lines) = bytes.strip_suffix(b"\n") else { return Err(TranscriptFault::Unfinished) };
    for (line, number) in lines.split(|byte| *byte == b'\n').zip(1..) {
        let fault = || TranscriptFault::Line(number);
        let value = deed_canon::parse(line).map_err(|_| fault())?;
        let link: Link = serde_json::from_value(value).map_err(|_| fault())?;
        if to_canonical_of(&link).map_err(|_| fault())? != line {
            return Err(fault());
        }
        without_credential(number, line)?;
        links.push(link);
    }
    Ok(links)
}

fn calls(lines: Vec<TranscriptLine>) -> Result<Vec<RecordedModelCall>, TranscriptFault> {
    let count = lines.len();
    let (mut calls, mut keys) = (Vec::new(), BTreeSet::new());
    let mut ended = false;
    for (line, number) in lines.into_iter().zip(1..) {
        match line {
            TranscriptLine::Head(head) if number == 1 && head.format == 1 => {}
            _ if number == 1 => return Err(TranscriptFault::Head),
            TranscriptLine::Head(_) => return Err(TranscriptFault::Line(number)),
            TranscriptLine::Call(call) => {
                if call_key(&call.call, call.occurrence) != Ok(call.key) {
                    return Err(TranscriptFault::Key(number));
                }
                if !keys.insert(call.key) {
                    return Err(TranscriptFault::Twice { line: number, key: call.key });
                }
                calls.push(*call);
            }
            TranscriptLine::End(end) => {
                if number != count || end.calls != calls.len() as u64 {
                    return Err(TranscriptFault::End(number));
                }
                ended = true;
            }
        }
    }
    if ended { Ok(calls) } else { Err(TranscriptFault::Unfinished) }
}
