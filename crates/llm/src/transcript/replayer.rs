//! A model that answers from a transcript, and asks no provider.

use super::Transcript;
use super::difference::differences;
use crate::key::call_key;
use deed_canon::ContentHash;
use deed_model::{ModelCall, RecordedModelCall};
use deed_ports::{Model, ModelAnswer, ModelError, ModelErrorKind};
use std::collections::BTreeMap;

/// A model that answers from a transcript. A call that it does not have is an error.
#[derive(Debug, Clone)]
pub struct Replayer {
    calls: BTreeMap<ContentHash, RecordedModelCall>,
    order: Vec<ContentHash>,
}

impl Replayer {
    /// A model that answers from a transcript.
    pub fn new(transcript: &Transcript) -> Self {
        let calls = transcript.calls().iter().map(|call| (call.key, call.clone())).collect();
        Self { calls, order: transcript.calls().iter().map(|call| call.key).collect() }
    }

    /// Returns the recorded call that is most like another one, and the first pointer at which they differ.
    fn nearest(&self, call: &ModelCall) -> Option<(&RecordedModelCall, Option<String>)> {
        let asked = serde_json::to_value(call).ok()?;
        let recorded = self.order.iter().filter_map(|key| self.calls.get(key));
        let compared = recorded.filter_map(|recorded| {
            let own = serde_json::to_value(&recorded.call).ok()?;
            Some((recorded, differences(&own, &asked)))
        });
        // Of several that are as near, the first.
        let (nearest, found) = compared.min_by_key(|(_, found)| found.count)?;
        Some((nearest, found.first))
    }

    fn missing(&self, call: &ModelCall, occurrence: u64) -> ModelError {
        let message = match self.nearest(call) {
            None => "the transcript has no calls".to_owned(),
            Some((nearest, None)) => format!(
                "the transcript has no reply for occurrence {occurrence} of this call; nearest is {} with occurrence {}",
                nearest.key, nearest.occurrence
            ),
            Some((nearest, Some(pointer))) => format!(
                "the transcript has no reply for this call; nearest is {} of `{}`, which differs first at `{pointer}`",
                nearest.key, nearest.call.consumer_key
            ),
        };
        ModelError::new(ModelErrorKind::NotInTranscript, message)
    }
}

impl Model for Replayer {
    fn ask(&self, call: &ModelCall, occurrence: u64) -> Result<ModelAnswer, ModelError> {
        let unencodable =
            |error: deed_canon::CanonError| ModelError::new(ModelErrorKind::Unencodable, error.to_string());
        let key = call_key(call, occurrence).map_err(unencodable)?;
        let found = self.calls.get(&key).ok_or_else(|| self.missing(call, occurrence))?;
        Ok(ModelAnswer {
            reply: found.reply.clone(),
            origin: found.origin.clone(),
            attempts: Vec::new(),
            cost: found.cost.clone(),
            exchanges: Vec::new(),
        })
    }
}
