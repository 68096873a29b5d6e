//! A step that would fit an input and does not come before it.

use super::View;
use crate::lower::cx::{Input, StepIndex};
use crate::lower::findings::Findings;
use crate::lower::snapshot::InputNeed;

/// Suggests to depend on the first step that would fit.
pub(super) fn suggest(
    view: View<'_, '_>,
    input: Input<'_>,
    need: &InputNeed,
    findings: &mut Findings<'_>,
) -> Option<String> {
    let (candidate, own) = (view.inputs.candidate, input.step.index);
    if !candidate.may_search(findings) {
        return None;
    }
    let mut unordered =
        candidate.order.iter().copied().filter(|other| {
            *other != own && !candidate.comes_before(*other, own) && !candidate.comes_before(own, *other)
        });
    let fits =
        |other: &StepIndex| view.offers().sources_of(*other).any(|source| view.judge(input, need, source).is_ok());
    let found = unordered.find(fits)?;
    Some(format!("step `{}` would fit: add it to `depends_on`", view.cx.step(found).id()))
}
