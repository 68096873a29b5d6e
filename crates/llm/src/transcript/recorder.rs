//! A model that records what another one answers.

use super::TranscriptFault;
use super::write::Writing;
use crate::key::call_key;
use deed_model::{ModelCall, RecordedModelCall};
use deed_ports::{Model, ModelAnswer, ModelError, ModelErrorKind, SpentCall};
use std::io::Write;
use std::sync::{Mutex, PoisonError};

/// A model that records every reply of another one before it returns it.
pub struct Recorder<M, W> {
    model: M,
    open: Mutex<Open<W>>,
}

struct Open<W> {
    writing: Writing,
    out: W,
}

impl<M: Model, W: Write + Send> Recorder<M, W> {
    /// Begins a transcript.
    ///
    /// # Errors
    /// The first line cannot be written; the reason, in words.
    pub fn begin(model: M, mut out: W) -> Result<Self, String> {
        let mut writing = Writing::default();
        let line = writing.begin().map_err(|fault| fault.to_string())?;
        put(&mut out, &line)?;
        Ok(Self { model, open: Mutex::new(Open { writing, out }) })
    }

    /// Ends the transcript. Without its last line it is not accepted.
    ///
    /// # Errors
    /// The last line cannot be written; the reason, in words.
    pub fn finish(self) -> Result<W, String> {
        let Open { writing, mut out } = self.open.into_inner().unwrap_or_else(PoisonError::into_inner);
        let line = writing.end().map_err(|fault| fault.to_string())?;
        put(&mut out, &line)?;
        Ok(out)
    }

    fn record(&self, call: &RecordedModelCall) -> Result<(), String> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        // A line that cannot be written must not be part of the chain.
        let mut next = open.writing.clone();
        let line = next.call(call).map_err(|fault| match fault {
            TranscriptFault::Credential { rule, .. } => format!("it holds what looks like a credential ({rule})"),
            other => other.to_string(),
        })?;
        put(&mut open.out, &line)?;
        open.writing = next;
        Ok(())
    }
}

fn put(out: &mut impl Write, line: &[u8]) -> Result<(), String> {
    out.write_all(line).and_then(|()| out.flush()).map_err(|error| error.to_string())
}

impl<M: Model, W: Write + Send> Model for Recorder<M, W> {
    fn ask(&self, call: &ModelCall, occurrence: u64) -> Result<ModelAnswer, ModelError> {
        let answer = self.model.ask(call, occurrence)?;
        let unrecorded = |why: String, answer: &ModelAnswer| ModelError {
            kind: ModelErrorKind::Unrecorded,
            message: format!("the reply cannot be recorded: {why}"),
            spent: Box::new(SpentCall {
                attempts: answer.attempts.clone(),
                cost: answer.cost.clone(),
                exchanges: answer.exchanges.clone(),
            }),
        };
        let key = call_key(call, occurrence).map_err(|error| unrecorded(error.to_string(), &answer))?;
        let recorded = RecordedModelCall {
            key,
            occurrence,
            origin: answer.origin.clone(),
            call: call.clone(),
            reply: answer.reply.clone(),
            attempts: answer.attempts.clone(),
            cost: answer.cost.clone(),
        };
        self.record(&recorded).map_err(|why| unrecorded(why, &answer))?;
        Ok(answer)
    }
}
