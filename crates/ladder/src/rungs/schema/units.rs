//! Units beside a value that its key is not named for: `"weight_kg": 40 /* pounds */`.

use super::Repaired;
use crate::climb::{Finding, Findings};
use crate::embed::words;
use crate::excerpt::excerpt;
use crate::repair::RepairKind;
use crate::rungs::structure::names_other_unit;
use deed_diag::{codes, quote};
use deed_model::Rung;

/// How far before a comment its key is looked for, in bytes.
const FARTHEST: usize = 200;

/// Refuses a value with a comment that is a unit other than the one in the name of its key.
pub(super) fn refuse_other_units(repaired: Repaired<'_>, findings: &mut Findings<'_>) {
    let comments = repaired.repairs.iter().filter(|repair| repair.kind == RepairKind::Comment);
    let found = comments.into_iter().find_map(|comment| {
        let unit = comment.removed(repaired.text).trim_matches(|c: char| "/*#- \t\r\n".contains(c));
        let unit = unit.strip_prefix("in ").unwrap_or(unit);
        let key = key_before(repaired.text, comment.at().start)?;
        let name: Vec<String> = words(key).iter().map(|word| word.to_lowercase()).collect();
        names_other_unit(unit, &name).then(|| (quote(key), quote(unit)))
    });
    if let Some((key, unit)) = found {
        let message = format!("a comment says that the value of {key} is in {unit}");
        let finding = Finding::blocking(Rung::L0, codes::VALUE_DISOWNED, "", message);
        findings.add(finding.help("write the value in the unit that its key is named for"));
    }
}

/// The last key before a place.
fn key_before(text: &str, at: usize) -> Option<&str> {
    let from = (at.saturating_sub(FARTHEST)..=at).find(|from| text.is_char_boundary(*from))?;
    let before = excerpt(text, from..at);
    let name = before.get(..before.rfind([':', '='])?)?.trim_end().trim_end_matches(['"', '\'', '`', '*']);
    let start = name.rfind(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-'))).map_or(0, |last| last + 1);
    name.get(start..).filter(|name| !name.is_empty())
}
