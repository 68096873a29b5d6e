//! The climb: a payload enters, eleven rungs catch and correct, payload and record leave.

use crate::edits::hash_of;
use crate::flagged::{Flagged, UNSHOWN};
use crate::ladder::Ladder;
use crate::port::Proposer;
use crate::reading::{TextReading, read_text};
use crate::repair::{Literals, Repair, Unreadable, read};
use crate::rungs::{
    conformance, defaults, domain, expert, guard, patch, schema, structure, synonyms, transforms, vector,
};
use crate::undo::take_back;
use deed_canon::CanonError;
use deed_diag::{Code, codes, quote};
use deed_model::{
    BudgetUse, LadderChange, LadderFinding, LadderMode, LadderOutcome, LadderReport, Phase, ProposalRecord, Proposals,
    Rung, RungRecord, RungStatus, TextRepairs,
};
use serde_json::{Number, Value};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

/// What is sent up the ladder.
#[derive(Debug, Clone, Copy)]
pub enum Input<'p> {
    /// Text as a model wrote it.
    Text(&'p str),
    /// A value.
    Value(&'p Value),
}

/// What comes down.
#[derive(Debug, Clone, PartialEq)]
pub struct Climbed {
    /// The payload as it left the last rung that was reached; none if there never was one, or the guard stopped it.
    pub payload: Option<Value>,
    /// The record.
    pub report: LadderReport,
}

/// Sends a payload up the ladder.
pub fn climb(ladder: &Ladder, input: Input<'_>, phase: Phase, proposer: &dyn Proposer) -> Climbed {
    let mut climb = Climb::begin(ladder, input, phase, proposer);
    climb.rung(Rung::L3, guard::enter);
    climb.rung(Rung::L0, schema::run);
    climb.rung(Rung::L0b, synonyms::run);
    climb.rung(Rung::L0c, structure::run);
    climb.rung(Rung::L0d, defaults::run);
    climb.rung(Rung::L0e, transforms::run);
    climb.rung(Rung::L1, vector::run);
    climb.rung(Rung::L2, patch::run);
    climb.again_while_it_helps();
    climb.refuse_held_defaults();
    climb.rung(Rung::L4, conformance::run);
    climb.rung(Rung::L5, domain::run);
    climb.rung(Rung::L6, expert::run);
    climb.rung(Rung::L3, guard::leave);
    climb.finish()
}

/// Whether a value is accepted once the rungs that need no model, and conformance, have run.
pub(crate) fn would_accept(ladder: &Ladder, phase: Phase, value: &Value) -> bool {
    let none = Proposals::default();
    let mut climb = Climb::begin(ladder, Input::Value(value), phase, &none);
    WITHOUT_MODEL.into_iter().for_each(|(rung, run)| climb.rung(rung, run));
    climb.again_while_it_helps();
    climb.refuse_held_defaults();
    climb.rung(Rung::L4, conformance::run);
    climb.is_valid() && !climb.findings.iter().any(|finding| finding.blocks)
}

/// What a rung does.
type Run = fn(&mut Climb<'_>);

/// The rungs below conformance that need no model, in their order.
const WITHOUT_MODEL: [(Rung, Run); 6] = [
    (Rung::L0b, synonyms::run),
    (Rung::L0c, structure::run),
    (Rung::L0d, defaults::run),
    (Rung::L0e, transforms::run),
    (Rung::L1, vector::run),
    (Rung::L2, patch::by_rule),
];

/// A climb under way.
pub(crate) struct Climb<'c> {
    pub(crate) ladder: &'c Ladder,
    pub(crate) input: Input<'c>,
    pub(crate) phase: Phase,
    pub(crate) proposer: &'c dyn Proposer,
    /// How the text was read; recorded by the rung for it.
    pub(crate) reading: Option<Result<Vec<Repair>, Unreadable>>,
    /// The payload; none before it was read, and if it cannot be.
    pub(crate) payload: Option<Value>,
    /// The bound that ended the search for readings of the text.
    pub(crate) bound: Option<String>,
    /// The numbers of the text as they are written; made when first asked.
    literals: OnceCell<Literals>,
    /// Whether the payload as it stands satisfies the schema, once that was asked.
    valid: Option<bool>,
    pub(crate) changes: Vec<LadderChange>,
    pub(crate) suggestions: Vec<LadderChange>,
    pub(crate) repairs: TextRepairs,
    pub(crate) findings: Vec<LadderFinding>,
    pub(crate) proposals: Vec<ProposalRecord>,
    /// Places whose values the guard found; nothing repeats or changes them.
    pub(crate) flagged: BTreeSet<String>,
    /// Places whose keys the guard found; nothing names them.
    pub(crate) flagged_keys: BTreeSet<String>,
    /// The same as texts, so that no message repeats them.
    pub(crate) flagged_texts: Flagged,
    /// Whether nothing of the source may be quoted: the guard cannot rule out that it holds something.
    pub(crate) unquoted: bool,
    /// Transforms that were applied, by rule and place.
    pub(crate) transformed: BTreeSet<(usize, String)>,
    /// Transforms that wait for another pass, by rule and place.
    pub(crate) waiting: BTreeSet<(usize, String)>,
    /// Defaults that are kept out while an unknown key may be the missing one.
    pub(crate) held: Vec<defaults::Held>,
    /// Text around and within the value that was removed when it was read.
    pub(crate) removed: Vec<&'c str>,
    /// Objects and lists that were open where the text was cut off, so that more of them may have followed.
    pub(crate) cut: Vec<String>,
    /// Whether a rule waits for what the rungs above it leave.
    pub(crate) deferred: bool,
    /// How near names are to each other.
    pub(crate) likeness: vector::Likeness,
    /// Whether rules that wait for values still wait.
    pass: Pass,
    /// Proposals that were looked at, by rung.
    pub(crate) taken: BTreeMap<Rung, usize>,
    /// How the rung that runs is run.
    pub(crate) mode: LadderMode,
    records: Vec<RungRecord>,
    stopped: bool,
    /// Whether this is a second climb over a result.
    again: bool,
}

impl<'c> Climb<'c> {
    fn begin(ladder: &'c Ladder, input: Input<'c>, phase: Phase, proposer: &'c dyn Proposer) -> Self {
        let (payload, reading, valid, bound) = match input {
            Input::Value(value) => (Some(value.clone()), None, None, None),
            Input::Text(text) => {
                let TextReading { payload, outcome, valid, bound } = read_text(ladder, phase, text);
                (payload, Some(outcome), valid, bound)
            }
        };
        Self {
            ladder,
            input,
            phase,
            proposer,
            reading,
            payload,
            valid,
            bound,
            literals: OnceCell::new(),
            changes: Vec::new(),
            suggestions: Vec::new(),
            repairs: TextRepairs::default(),
            findings: Vec::new(),
            proposals: Vec::new(),
            flagged: BTreeSet::new(),
            flagged_keys: BTreeSet::new(),
            flagged_texts: Flagged::default(),
            unquoted: false,
            transformed: BTreeSet::new(),
            waiting: BTreeSet::new(),
            held: Vec::new(),
            removed: Vec::new(),
            cut: Vec::new(),
            deferred: false,
            likeness: vector::Likeness::default(),
            pass: Pass::First,
            taken: BTreeMap::new(),
            mode: LadderMode::Block,
            records: Vec::with_capacity(12),
            stopped: false,
            again: false,
        }
    }

    /// Runs a rung as strictly as the phase asks, and writes down what it did.
    fn rung(&mut self, rung: Rung, run: Run) {
        self.mode = self.ladder.mode(self.phase, rung);
        let (changes, findings) = (self.changes.len(), self.findings.len());
        let status = if self.stopped {
            RungStatus::NotReached
        } else if self.mode == LadderMode::Off && rung != Rung::L0 {
            RungStatus::Off
        } else {
            self.run(rung, run)
        };
        let (changes, findings) = (self.changes.len() - changes, self.findings.len().saturating_sub(findings));
        self.records.push(RungRecord { rung, mode: self.mode, status, changes, findings });
    }

    fn run(&mut self, rung: Rung, run: Run) -> RungStatus {
        let (changes, findings) = (self.changes.len(), self.findings.len());
        let suggestions = self.suggestions.len();
        let kept = (self.mode == LadderMode::Report).then(|| self.payload.clone());
        let was_valid = self.valid;
        run(self);
        if let Some(kept) = kept {
            self.only_report(kept, changes, findings, was_valid);
        } else if self.changes.len() > changes && rung < Rung::L4 && rung != Rung::L0 {
            self.keep_valid(rung, changes, was_valid);
        }
        let blocks = self.findings.iter().skip(findings).any(|finding| finding.blocks);
        let found = self.findings.len() > findings || self.suggestions.len() > suggestions;
        match (blocks, self.changes.len() > changes, found) {
            (true, ..) if matches!(rung, Rung::L3 | Rung::L0) => {
                self.stopped = true;
                RungStatus::Stopped
            }
            (_, true, _) => RungStatus::Changed,
            (_, false, true) => RungStatus::Found,
            (_, false, false) => RungStatus::Passed,
        }
    }

    /// A fix may lay open another one for a rung below it, as text that is parsed has names that are synonyms. So the
    /// rungs that need no model are run until nothing moves.
    fn again_while_it_helps(&mut self) {
        let mut changes = self.changes.iter().filter(|change| change.rung != Rung::L0).count();
        for _ in 0..MOST_ROUNDS {
            let settled = changes == 0;
            if self.stopped || (settled && !(self.deferred && self.pass == Pass::First)) {
                return;
            }
            // Rules that wait for values are evaluated once nothing else moves.
            let late = settled;
            if late {
                self.pass = Pass::Later;
            }
            changes = 0;
            for (rung, run) in WITHOUT_MODEL {
                self.mode = self.ladder.mode(self.phase, rung);
                // Conditional defaults are only now evaluated, in mode `report` too.
                let suggests = late && rung == Rung::L0d && self.mode == LadderMode::Report;
                if self.mode != LadderMode::Block && !suggests {
                    continue;
                }
                changes += self.run_again(rung, run);
            }
        }
    }

    /// Runs a rung once more, and returns how many changes it made.
    fn run_again(&mut self, rung: Rung, run: Run) -> usize {
        let (made, found) = (self.changes.len(), self.findings.len());
        let status = self.run(rung, run);
        self.say_once(found);
        let (made, found) = (self.changes.len() - made, self.findings.len().saturating_sub(found));
        if let Some(record) = self.records.iter_mut().rev().find(|record| record.rung == rung) {
            record.changes += made;
            record.findings += found;
            let found = found > 0 && record.status == RungStatus::Passed;
            record.status = if made > 0 || found { status } else { record.status };
        }
        made
    }

    /// Refuses defaults that no later rung made needless.
    fn refuse_held_defaults(&mut self) {
        if self.held.is_empty() || self.stopped {
            return;
        }
        self.mode = self.ladder.mode(self.phase, Rung::L0d);
        defaults::refuse_held(self);
        let record = self.records.iter_mut().find(|record| record.rung == Rung::L0d);
        if let Some(record) = record.filter(|record| record.status == RungStatus::Passed) {
            record.status = RungStatus::Found;
        }
    }

    /// Whether the text was cut off in the object at a place. Wrappers may have been taken off since.
    pub(crate) fn was_cut_in(&self, object: &str) -> bool {
        self.cut.iter().any(|open| open == object || open.ends_with(object) && object.starts_with('/'))
            || (object.is_empty() && !self.cut.is_empty())
    }

    /// How a number of the payload was written in the text; none where the text writes it in two ways.
    pub(crate) fn written(&self, number: &Number) -> Option<String> {
        match self.input {
            Input::Value(_) => Some(number.to_string()),
            Input::Text(text) => {
                let texts = self.repairs.parts().map(|(kind, at, inserted)| (kind.as_str(), at, inserted));
                self.literals.get_or_init(|| Literals::of(text, texts)).written(number)
            }
        }
    }

    /// Whether names and values may still move, so that rules which depend on them wait.
    pub(crate) fn is_first_pass(&self) -> bool {
        self.pass == Pass::First
    }

    /// Whether this is a second climb over a result, which runs the rungs once.
    pub(crate) fn is_second_climb(&self) -> bool {
        self.again
    }

    /// Drops the findings of a rung that has one code; the rung is about to make them again if they still hold.
    pub(crate) fn forget_code(&mut self, rung: Rung, code: Code) {
        self.findings.retain(|finding| finding.rung != rung || finding.code != code.as_str());
    }

    /// Drops findings that were made before.
    fn say_once(&mut self, from: usize) {
        let new = self.findings.split_off(from.min(self.findings.len()));
        let told = |finding: &LadderFinding| {
            (finding.rung, finding.code.clone(), finding.pointer.clone(), finding.message.clone())
        };
        let mut said: BTreeSet<_> = self.findings.iter().map(told).collect();
        self.findings.extend(new.into_iter().filter(|finding| said.insert(told(finding))));
    }

    /// What a rung did in mode `report` is undone and kept as a suggestion.
    fn only_report(&mut self, kept: Option<Value>, changes: usize, findings: usize, was_valid: Option<bool>) {
        // Reading text is not a change that could be left out.
        if self.changes.len() > changes {
            self.suggestions.extend(self.changes.drain(changes..));
            self.payload = kept;
            self.valid = was_valid;
        }
        // Without a payload there is nothing to go on with, however leniently.
        let lenient = |finding: &LadderFinding| finding.rung != Rung::L0;
        self.findings.iter_mut().skip(findings).filter(|f| lenient(f)).for_each(|finding| finding.blocks = false);
    }

    /// No rung below conformance makes a valid payload invalid: if it would, its changes are taken back.
    fn keep_valid(&mut self, rung: Rung, from: usize, was_valid: Option<bool>) {
        if self.is_valid() {
            return;
        }
        let made: Vec<LadderChange> = self.changes.split_off(from);
        let mut before = self.payload.clone().unwrap_or(Value::Null);
        let undone = take_back(&mut before, &made);
        let was_valid = was_valid.unwrap_or_else(|| self.judge(&before));
        if !was_valid || !undone {
            self.changes.extend(made);
            return;
        }
        self.payload = Some(before);
        self.valid = Some(true);
        let rules: BTreeSet<&str> = made.iter().map(|change| change.rule.as_str()).collect();
        let rules: Vec<String> = rules.into_iter().map(quote).collect();
        let message =
            format!("its changes would make a valid payload invalid and were taken back: {}", rules.join(", "));
        let new: Vec<LadderChange> = made.into_iter().filter(|change| !self.suggestions.contains(change)).collect();
        self.suggestions.extend(new);
        self.find(
            rung,
            codes::CHANGE_WOULD_INVALIDATE,
            "",
            message,
            Some("mend the rule, or the schema".to_owned()),
            None,
            Weight::Remark,
        );
    }

    fn judge(&self, value: &Value) -> bool {
        self.ladder.imprint.schema().is_valid(value).unwrap_or(false)
    }

    /// Whether the payload as it stands satisfies the schema.
    pub(crate) fn is_valid(&mut self) -> bool {
        if let Some(valid) = self.valid {
            return valid;
        }
        let valid = self.payload.as_ref().is_some_and(|payload| self.judge(payload));
        self.valid = Some(valid);
        valid
    }

    /// Writes down a change that was made.
    pub(crate) fn record(&mut self, change: LadderChange) {
        self.changes.push(change);
        self.valid = None;
    }

    /// Whether a place may be changed and shown: the guard found nothing there.
    pub(crate) fn is_free(&self, pointer: &str) -> bool {
        highest(&self.flagged, pointer).is_none() && !any_beneath(&self.flagged, pointer)
    }

    /// Writes down a finding.
    #[allow(clippy::too_many_arguments, reason = "the parts of a finding, named at its type")]
    pub(crate) fn find(
        &mut self,
        rung: Rung,
        code: Code,
        pointer: &str,
        message: String,
        help: Option<String>,
        rule: Option<&str>,
        weight: Weight,
    ) {
        let shown = nameable(&self.flagged_keys, pointer).to_owned();
        // What speaks of a place above may quote what stands beneath it.
        let beneath = rung != Rung::L3 && !self.is_free(pointer);
        let concealed = rung != Rung::L3
            && (self.flagged_texts.is_in(&message) || shown != pointer || highest(&self.flagged, pointer).is_some());
        self.findings.push(LadderFinding {
            rung,
            code: code.as_str().to_owned(),
            blocks: weight == Weight::Blocks,
            pointer: shown,
            message: if concealed { UNSHOWN.to_owned() } else { message },
            help: help.filter(|_| !concealed && !beneath),
            rule: rule.map(str::to_owned),
        });
    }

    /// Drops findings of rungs that will be asked again.
    pub(crate) fn forget(&mut self, rungs: &[Rung]) {
        self.findings.retain(|finding| !rungs.contains(&finding.rung));
    }

    fn finish(mut self) -> Climbed {
        patch::not_taken(&mut self);
        let budget = self.budget();
        self.settle();
        // Findings may be dropped or added after their rung was climbed; the counts speak of those that are left.
        // That the budget was exceeded is said of the climb as a whole.
        let of_rungs = || self.findings.iter().filter(|finding| finding.code != codes::EDIT_BUDGET_SPENT.as_str());
        for record in self.records.iter_mut().filter(|record| record.rung != Rung::L3) {
            record.findings = of_rungs().filter(|finding| finding.rung == record.rung).count();
        }
        let blocked = self.findings.iter().any(|finding| finding.blocks);
        let outcome = if blocked || self.payload.is_none() { LadderOutcome::Rejected } else { LadderOutcome::Accepted };
        let stopped_by_guard = self.stopped && self.findings.iter().any(|f| f.blocks && f.rung == Rung::L3);
        let first = self.changes.first().filter(|change| change.rung == Rung::L0);
        let only = self.changes.len() == 1;
        let (raw, read_hash) = (first.map(|change| change.before), first.filter(|_| only).map(|change| change.after));
        // The record of the text has both hashes already.
        let input_hash = raw.unwrap_or_else(|| match (self.input, &self.reading) {
            (Input::Text(text), Some(Ok(repairs))) if !repairs.is_empty() => hash_of(&Value::String(text.to_owned())),
            (Input::Text(text), Some(Err(_))) => hash_of(&Value::String(text.to_owned())),
            (Input::Value(value), _) => hash_of(value),
            // Strict text is its value, which is still at hand if nothing was changed.
            (Input::Text(text), _) => match self.payload.as_ref().filter(|_| self.changes.is_empty()) {
                Some(payload) => hash_of(payload),
                None => hash_of(&read(text).map(|reading| reading.value).unwrap_or(Value::Null)),
            },
        });
        let payload = self.payload.take().filter(|_| !stopped_by_guard);
        if stopped_by_guard {
            self.findings.retain(|finding| finding.rung == Rung::L3);
            // What the guard stopped is in the record of how it came about, too.
            self.changes.clear();
            self.suggestions.clear();
            self.repairs.clear();
            self.proposals.clear();
        } else if !self.flagged.is_empty() || !self.flagged_texts.is_empty() {
            self.conceal();
        }
        let output_hash = match (&payload, self.changes.is_empty(), self.repairs.is_empty()) {
            (Some(_), true, true) => Some(input_hash),
            (Some(payload), ..) => Some(read_hash.unwrap_or_else(|| hash_of(payload))),
            (None, ..) => None,
        };
        let report = LadderReport {
            version: REPORT_VERSION.to_owned(),
            contract: self.ladder.contract.contract.clone(),
            contract_hash: self.ladder.hash,
            phase: self.phase,
            outcome,
            input_hash,
            output_hash,
            changes: self.changes,
            repairs: self.repairs,
            suggestions: self.suggestions,
            findings: self.findings,
            rungs: self.records,
            proposals: self.proposals,
            budget,
        };
        Climbed { payload, report }
    }

    /// Keeps the record free of what the guard found and let through, in whatever was written down before it was found.
    fn conceal(&mut self) {
        let flagged = &self.flagged_texts;
        let changes = self.changes.iter_mut().chain(&mut self.suggestions);
        changes.for_each(|change| flagged.conceal_change(change));
        self.proposals.iter_mut().for_each(|record| flagged.conceal_proposal(record));
        if self.repairs.parts().any(|(_, _, inserted)| flagged.is_in(inserted)) {
            self.repairs = self.repairs.iter().map(|repair| flagged.concealed_repair(repair)).collect();
        }
        let (values, keys) = (&self.flagged, &self.flagged_keys);
        for finding in &mut self.findings {
            let shown = nameable(keys, &finding.pointer).to_owned();
            if finding.rung != Rung::L3 && (shown != finding.pointer || highest(values, &finding.pointer).is_some()) {
                finding.message = UNSHOWN.to_owned();
                finding.help = None;
            }
            finding.pointer = shown;
            flagged.conceal_finding(finding);
        }
    }

    /// What was spent of the edit budget so far.
    pub(crate) fn spent(&self) -> usize {
        self.habits() + self.changes.iter().filter(|change| change.rung != Rung::L0).count()
    }

    fn habits(&self) -> usize {
        habits(self.repairs.iter().map(|repair| repair.kind.as_str())).len()
    }

    /// Holds the changes to the edit budget. Of repairs of the text each kind counts as one: fifty single quotes are
    /// one habit.
    fn budget(&mut self) -> Option<BudgetUse> {
        let budget = self.ladder.contract.edit_budget.as_ref()?;
        let of_rung = |rung: Rung| match rung {
            Rung::L0 => self.habits(),
            rung => self.changes.iter().filter(|change| change.rung == rung).count(),
        };
        let changes: usize = Rung::ALL.into_iter().map(of_rung).sum();
        let mut over = Vec::new();
        if changes > budget.most_changes {
            over.push(format!("{changes} changes were needed, and {} are allowed", budget.most_changes));
        }
        for (rung, most) in &budget.by_rung {
            let made = of_rung(*rung);
            if made > *most {
                over.push(format!("{made} changes of {rung} were needed, and {most} are allowed"));
            }
        }
        let exceeded = !over.is_empty();
        for message in over {
            let help = Some("a payload that needs so much fixing is wrong; look at what made it".to_owned());
            self.find(Rung::L4, codes::EDIT_BUDGET_SPENT, "", message, help, None, Weight::Blocks);
        }
        Some(BudgetUse { most_changes: budget.most_changes, changes, exceeded })
    }

    /// A second climb must change nothing: a rule that would go on changing its own result is refused.
    fn settle(&mut self) {
        let changed = self.changes.iter().any(|change| change.rung != Rung::L0);
        if self.again || !changed || self.stopped {
            return;
        }
        let Some(payload) = self.payload.clone() else { return };
        let none = Proposals::default();
        let mut second = Climb::begin(self.ladder, Input::Value(&payload), self.phase, &none);
        second.again = true;
        // What the guard holds stays held, and a value that was transformed is not asked for a second time unless it
        // is in the place of another.
        second.flagged = self.flagged.clone();
        second.flagged_keys = self.flagged_keys.clone();
        second.removed = self.removed.clone();
        second.cut = self.cut.clone();
        for (rung, run) in WITHOUT_MODEL {
            second.rung(rung, run);
        }
        // Rules that wait are evaluated apart from the others here too: what one of them does wrong takes back nothing
        // of theirs.
        if second.deferred && !second.stopped {
            second.pass = Pass::Later;
            for (rung, run) in WITHOUT_MODEL {
                second.rung(rung, run);
            }
        }
        second.rung(Rung::L4, conformance::run);
        let Some(change) = second.changes.first() else { return };
        let at = change.patch.first().map_or(String::new(), |op| op.path().to_owned());
        let message = format!("{} would change its own result again", quote(&change.rule));
        let help = Some("give it a condition that no longer holds once it was applied".to_owned());
        self.find(change.rung, codes::RULE_NOT_IDEMPOTENT, &at, message, help, Some(&change.rule), Weight::Blocks);
    }

    /// Refuses numbers that no two programs read alike.
    pub(crate) fn canonical(&mut self) {
        let Some(payload) = &self.payload else { return };
        if let Err(error) = deed_canon::to_canonical(payload) {
            let help = match error {
                CanonError::TooDeep { .. } => "write a flatter value",
                _ => "write large numbers as text",
            };
            let message = format!("it has no canonical form: {error}");
            self.find(
                Rung::L0,
                codes::PAYLOAD_WITHOUT_CANONICAL_FORM,
                "",
                message,
                Some(help.to_owned()),
                None,
                Weight::Blocks,
            );
        }
    }
}

/// The version of reports.
pub(crate) const REPORT_VERSION: &str = "deed/ladder-report/v1";

/// How often fixes may lay open fixes for rungs below.
const MOST_ROUNDS: usize = 8;

/// Each kind of repair once, sorted. There are few kinds, and a text may need any of them hundreds of times.
pub(crate) fn habits<'k>(kinds: impl Iterator<Item = &'k str>) -> Vec<&'k str> {
    let mut habits: Vec<&str> = Vec::new();
    for kind in kinds {
        if !habits.contains(&kind) {
            habits.push(kind);
        }
    }
    habits.sort_unstable();
    habits
}

/// The highest of these places that a place is, or is beneath.
fn highest<'p>(places: &BTreeSet<String>, pointer: &'p str) -> Option<&'p str> {
    if places.is_empty() {
        return None;
    }
    let ends = pointer.match_indices('/').map(|(end, _)| end).chain([pointer.len()]);
    ends.filter_map(|end| pointer.get(..end)).find(|above| places.contains(*above))
}

/// A pointer without keys that the guard found.
fn nameable<'p>(keys: &BTreeSet<String>, pointer: &'p str) -> &'p str {
    let end = highest(keys, pointer).and_then(|key| key.rfind('/'));
    end.and_then(|end| pointer.get(..end)).unwrap_or(pointer)
}

/// Whether one of these places is beneath a place.
fn any_beneath(places: &BTreeSet<String>, pointer: &str) -> bool {
    let beneath = format!("{pointer}/");
    places.range(beneath.clone()..).next().is_some_and(|place| place.starts_with(&beneath))
}

/// Whether a place is another one, or beneath it.
pub(crate) fn is_within(pointer: &str, above: &str) -> bool {
    pointer.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// How far the rungs below conformance have come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pass {
    /// Names and values may still move.
    First,
    /// Nothing moves but what waits for that.
    Later,
}

/// How much a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    /// Worth knowing.
    Remark,
    /// Refuses the payload.
    Blocks,
}
