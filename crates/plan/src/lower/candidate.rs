//! C1, the candidate: whether this is a plan at all.
//!
//! Enters: the plan as it was read. Leaves: its steps by name, what each comes after, and their order. Must prove:
//! names are unique and well formed, dependencies and gates lead to steps, and no step waits for itself.

mod cycles;
mod dependencies;
mod gates;
mod names;

use super::cx::{Cx, PerStep, StepIndex};
use super::findings::{At, Finding, Findings};
use deed_diag::{codes, did_you_mean, quote};
use std::cell::OnceCell;
use std::collections::HashMap;

/// The most steps that are compiled.
pub(crate) const MOST_STEPS: usize = 20_000;

/// Help for names that are not well formed.
const NAME_HELP: &str = "write it such as `billing-audit`";

/// The structure of a plan.
pub(super) struct Candidate<'l> {
    /// Steps by name; the first of each name.
    by_id: HashMap<&'l str, StepIndex>,
    dependencies: PerStep<Dependencies>,
    /// The steps in their frozen order. Steps of a cycle are not in it.
    pub(super) order: Vec<StepIndex>,
    /// For every step, a bit for each step that comes before it; computed when it is first asked for.
    ancestors: OnceCell<PerStep<Vec<u64>>>,
}

/// The steps that a step comes after.
pub(super) struct Dependencies {
    /// The steps before it, those before its gates included; sorted.
    pub(super) before: Vec<StepIndex>,
    /// True if it depends on a step that does not exist.
    pub(super) unknown: bool,
}

/// Validates the structure; none if there is nothing that later stages could read.
pub(super) fn validate<'l>(cx: Cx<'l>, findings: &mut Findings<'_>) -> Option<Candidate<'l>> {
    if !has_steps(cx, findings) {
        return None;
    }
    head(cx, findings);
    let by_id = names::check(cx, findings);
    names::objective_words(cx, findings);
    names::annotations(cx, findings);
    let gates = gates::check(cx, &by_id, findings);
    let dependencies = dependencies::resolve(cx, &by_id, &gates, findings);
    let order = cycles::sort(cx, &dependencies, findings);
    Some(Candidate { by_id, dependencies, order, ancestors: OnceCell::new() })
}

impl Candidate<'_> {
    pub(super) fn step_named(&self, id: &str) -> Option<StepIndex> {
        self.by_id.get(id).copied()
    }

    pub(super) fn dependencies(&self, step: StepIndex) -> &Dependencies {
        self.dependencies.get(step)
    }

    /// Suggests the step whose name is nearest.
    pub(super) fn suggest(&self, name: &str, findings: &mut Findings<'_>) -> Option<String> {
        suggest(&self.by_id, name, findings)
    }

    /// Returns whether a search through all steps is still affordable.
    pub(super) fn may_search(&self, findings: &mut Findings<'_>) -> bool {
        findings.may_compare(self.by_id.len())
    }

    /// Returns whether a step has surely run before another.
    pub(super) fn comes_before(&self, earlier: StepIndex, later: StepIndex) -> bool {
        if self.dependencies.get(later).before.contains(&earlier) {
            return true;
        }
        let ancestors = self.ancestors.get_or_init(|| ancestors(&self.dependencies, &self.order));
        let word = ancestors.get(later).get(earlier.position() / 64);
        word.is_some_and(|word| word >> (earlier.position() % 64) & 1 == 1)
    }
}

/// Everything that comes before each step. Steps of a cycle have no order and so no ancestors.
fn ancestors(dependencies: &PerStep<Dependencies>, order: &[StepIndex]) -> PerStep<Vec<u64>> {
    let words = dependencies.len().div_ceil(64);
    let mut all = dependencies.map(|_| Vec::new());
    for step in order {
        let mut bits = vec![0_u64; words];
        for earlier in &dependencies.get(*step).before {
            for (word, more) in bits.iter_mut().zip(all.get(*earlier)) {
                *word |= more;
            }
            if let Some(word) = bits.get_mut(earlier.position() / 64) {
                *word |= 1 << (earlier.position() % 64);
            }
        }
        *all.get_mut(*step) = bits;
    }
    all
}

fn suggest(by_id: &HashMap<&str, StepIndex>, name: &str, findings: &mut Findings<'_>) -> Option<String> {
    if findings.may_compare(by_id.len()) { did_you_mean(name, by_id.keys().copied()) } else { None }
}

fn has_steps(cx: Cx<'_>, findings: &mut Findings<'_>) -> bool {
    let (at, steps) = (At::plan("/steps"), cx.plan.steps.len());
    if steps == 0 {
        let finding = Finding::error(at, codes::NO_STEPS, "the plan has no steps");
        findings.add(finding.help("`deed plan new` writes one that can be filled in"));
        return false;
    }
    if steps > MOST_STEPS {
        let message = format!("the plan has {steps} steps; at most {MOST_STEPS} are compiled");
        let finding = Finding::error(at, codes::TOO_MANY_STEPS, message);
        findings.add(finding.help("use `for_each` for work that repeats, or split the plan"));
        return false;
    }
    true
}

/// The name of the plan and its objective.
fn head(cx: Cx<'_>, findings: &mut Findings<'_>) {
    if cx.plan.mission.objective.trim().is_empty() {
        let at = At::plan("/mission/objective");
        findings.add(Finding::error(at, codes::BLANK_TEXT, "the mission has no objective"));
    }
    if !is_name(&cx.plan.plan) {
        let message = format!("{} is not a name: lowercase letters, digits, `-` and `_`", quote(&cx.plan.plan));
        findings.add(Finding::error(At::plan("/plan"), codes::BAD_NAME_IN_PLAN, message).help(NAME_HELP));
    }
}

/// Returns whether a text is lowercase letters, digits, dashes and underscores, beginning with a letter or digit.
fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= 100
        && text.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'_'))
}
