//! Members that stand twice: the same value counts once, different values are refused.

use super::{Mark, Mender};
use crate::repair::edit::apply;
use crate::repair::fault::Fault;
use crate::repair::strict;
use crate::repair::unreadable::UnreadableKind;
use serde_json::Value;
use std::collections::BTreeMap;

/// The members of one object so far.
#[derive(Default)]
pub(super) struct Seen(BTreeMap<String, First>);

/// Where a key stood first, and its value once somebody had to know.
struct First {
    value: (Mark, Mark),
    read: Option<Value>,
}

impl Mender<'_> {
    /// True where the member that was read last stood there before with the same value.
    pub(super) fn repeats(&mut self, seen: &mut Seen) -> Result<bool, Fault> {
        let member = self.last;
        let Some(Value::String(key)) = self.strict_part(member.key) else { return Ok(false) };
        let Some(first) = seen.0.get_mut(&key) else {
            seen.0.insert(key, First { value: member.value, read: None });
            return Ok(false);
        };
        if first.read.is_none() {
            first.read = self.strict_part(first.value);
        }
        match (&first.read, self.strict_part(member.value)) {
            (Some(a), Some(b)) if *a == b => Ok(true),
            _ => Err(Fault::new(UnreadableKind::DuplicateKey, member.key.0.pos, member.key.1.pos)),
        }
    }

    /// The strict value of a part that was read.
    fn strict_part(&self, (start, end): (Mark, Mark)) -> Option<Value> {
        let edits = self.script.get(start.edits..end.edits)?;
        strict::parse(&apply(self.text, start.pos..end.pos, edits)).ok()
    }
}
