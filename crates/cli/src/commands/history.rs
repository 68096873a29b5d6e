//! The history of a published profile, prompt or validation pack, in lines.

use crate::text;
use deed_app::objects::HistoryEntry;
use deed_pack::Endings;

/// Returns an event of a history as a line.
pub(crate) fn told(entry: &HistoryEntry) -> String {
    let HistoryEntry { seq, at, actor, event, detail } = entry;
    text::line(format_args!("{seq:>5}  {at}  {event:<18} {detail}  by {actor}"))
}

/// Returns the state of a published version in words.
pub(crate) fn standing(endings: &Endings) -> String {
    match endings.reason() {
        None => endings.state().to_string(),
        Some(reason) => format!("{}: {reason}", endings.state()),
    }
}
