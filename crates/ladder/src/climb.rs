//! The climb: a payload enters, eleven rungs catch and correct, payload and report leave.
//!
//! Each rung is a function from the payload and the outputs of earlier rungs to its own output: changes, findings and
//! proposals. The driver records them, undoes what may not stay, and holds the climb to its edit budget.

mod budget;
mod cx;
mod draft;
mod driver;
mod findings;
mod report;
mod settle;
mod source;

pub(crate) use self::budget::{habits, would_exceed};
pub(crate) use self::cx::{Cx, Inputs, Pass};
pub(crate) use self::draft::{Deferred, Draft, Output};
pub(crate) use self::findings::{Finding, Findings, Superseded, Weight};
pub(crate) use self::report::REPORT_VERSION;
pub(crate) use self::source::Source;

use self::driver::{Driver, Run};
use crate::ladder::Ladder;
use crate::port::Proposer;
use crate::reading::Entry;
use crate::rungs::vector::Likeness;
use crate::rungs::{
    conformance, defaults, domain, expert, guard, patch, schema, structure, synonyms, transforms, vector,
};
use deed_model::{LadderReport, Phase, Proposals, Rung};
use serde_json::Value;

/// The input of a climb.
#[derive(Debug, Clone, Copy)]
pub enum Input<'p> {
    /// Text as a model wrote it.
    Text(&'p str),
    /// A value.
    Value(&'p Value),
}

/// The result of a climb.
#[derive(Debug, Clone, PartialEq)]
pub struct Climbed {
    /// The payload as it left the last rung that was reached; none if there never was one, or the guard stopped it.
    pub payload: Option<Value>,
    /// The report.
    pub report: LadderReport,
}

/// Sends a payload up the ladder.
pub fn climb(ladder: &Ladder, input: Input<'_>, phase: Phase, proposer: &dyn Proposer) -> Climbed {
    let cx = Cx { ladder, phase, proposer, likeness: &Likeness::default() };
    let entry = Entry::read(ladder, phase, input);
    let mut driver = Driver::new(cx, input);
    driver.enter(&entry, guard::enter);
    driver.read(entry, schema::read);
    driver.rung(Rung::L0b, synonyms::rename);
    driver.rung(Rung::L0c, structure::fix);
    driver.rung(Rung::L0d, defaults::fill);
    driver.rung(Rung::L0e, transforms::apply);
    driver.rung(Rung::L1, vector::rename);
    driver.rung(Rung::L2, patch::fix);
    driver.repeat(&WITHOUT_MODEL);
    driver.refuse_held_defaults();
    driver.rung(Rung::L4, conformance::check);
    driver.rung(Rung::L5, domain::check);
    driver.rung(Rung::L6, expert::judge);
    driver.rung(Rung::L3, guard::leave);
    driver.finish()
}

/// Returns whether a value is accepted once the rungs that need no model, and conformance, have run.
pub(crate) fn would_accept(ladder: &Ladder, phase: Phase, value: &Value) -> bool {
    let cx = Cx { ladder, phase, proposer: &Proposals::default(), likeness: &Likeness::default() };
    let mut driver = Driver::over(cx, value);
    WITHOUT_MODEL.into_iter().for_each(|(rung, run)| driver.rung(rung, run));
    driver.repeat(&WITHOUT_MODEL);
    driver.refuse_held_defaults();
    driver.rung(Rung::L4, conformance::check);
    driver.is_accepted()
}

/// The rungs below conformance that need no model, in their order.
const WITHOUT_MODEL: [(Rung, Run); 6] = [
    (Rung::L0b, synonyms::rename),
    (Rung::L0c, structure::fix),
    (Rung::L0d, defaults::fill),
    (Rung::L0e, transforms::apply),
    (Rung::L1, vector::rename),
    (Rung::L2, patch::fix_by_rule),
];
