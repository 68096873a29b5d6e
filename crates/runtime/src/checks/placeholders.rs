//! Placeholders: text that a step was to replace.

use super::InspectedFile;
use deed_model::{CheckName, CheckReceipt, SentinelFinding, SentinelStrength};

/// Checks an output for placeholders that its step left in it.
pub(super) fn placeholders(looked: &InspectedFile, inputs: &[InspectedFile]) -> CheckReceipt {
    let sentinels = &looked.found.sentinels;
    // What stood in an input, and as often, was not left by this step. Of one rule in one column only the first is reported,
    // so where there are more, some of them could be its own.
    let given = |finding: &SentinelFinding| {
        let stood = inputs.iter().flat_map(|input| &input.found.sentinels.findings);
        stood.filter(|stood| stood.text == finding.text).any(|stood| stood.count >= finding.count)
    };
    let is_certain = |finding: &&SentinelFinding| finding.strength == SentinelStrength::Certain;
    // Those that are only counted could be anything.
    let listed: u64 = sentinels.findings.iter().filter(is_certain).map(|finding| finding.count).sum();
    let only_counted = sentinels.certain > listed;
    let mut certain = sentinels.findings.iter().filter(is_certain);
    let certain = certain.find(|finding| only_counted || !given(finding));
    let first = certain.or_else(|| sentinels.findings.first());
    let found = first.map(|finding| {
        let line = finding.place.line.map_or_else(String::new, |line| format!(" in line {line}"));
        let verb = match (certain.is_some(), given(finding)) {
            (true, _) => "is",
            (false, true) => "stood in an input, and may be",
            (false, false) => "may be",
        };
        format!("`{}`{line} {verb} a placeholder ({})", finding.text, finding.sentinel)
    });
    CheckReceipt {
        check: CheckName::Placeholders,
        path: Some(looked.path.clone()),
        holds: found.is_none(),
        // A possible placeholder is reported, and a certain one fails the step.
        blocks: first.is_none() || certain.is_some(),
        found,
    }
}
