//! Modes: block changes and refuses, report says what it would do, off does nothing; a phase speaks over the rest.

use deed_ladder::{Climbed, Input, Ladder, ReplayError, climb, redo, undo};
use deed_model::{LadderMode, LadderOutcome, PatchOp, Phase, Proposal, ProposalVerdict, Proposals, Rung, RungStatus};
use serde_json::{Value, json};

/// A contract under which every rung from L0b to L6 has something to do with [`payload`].
fn contract() -> Value {
    json!({
        "contract": "busy",
        "schema": {
            "type": "object",
            "properties": {
                "name": { "type": "string" },
                "count": { "type": "integer" },
                "done": { "type": "boolean" },
                "department": { "type": "string" },
                "status": { "enum": ["open", "closed"] },
                "score": { "type": "number", "maximum": 10 },
            },
            "additionalProperties": false,
        },
        "synonyms": [{ "from": ["title"], "to": "name" }],
        "defaults": { "values": [{ "at": "/done", "value": false }] },
        "transforms": [{ "id": "case", "at": "/name", "apply": "title_case" }],
        "vector": {},
        "patch": {},
        "allowed_keys": [{ "keys": ["name", "count", "done", "department", "status", "score"] }],
        "domain": [{ "id": "small", "rule": { "<": [{ "var": "score" }, 5] }, "message": "the score is too high" }],
    })
}

fn payload() -> Value {
    json!({ "title": "blue box", "count": "3", "dept": "sales", "status": "OPEN", "debug": 1, "score": 7 })
}

fn proposals() -> Proposals {
    let patch = vec![PatchOp::Replace { path: "/score".to_owned(), value: json!(4).into() }];
    let expert = Proposal {
        finding: None,
        id: "e1".to_owned(),
        rung: Rung::L6,
        patch,
        confidence: 900,
        reason: String::new(),
        concealed: false,
    };
    Proposals { proposals: vec![expert] }
}

fn with(modes: &[(Rung, LadderMode)]) -> Ladder {
    let mut contract: deed_model::LadderContract = serde_json::from_value(contract()).unwrap();
    contract.modes = modes.iter().copied().collect();
    Ladder::new(contract).unwrap()
}

fn go(ladder: &Ladder) -> Climbed {
    climb(ladder, Input::Value(&payload()), Phase::StepInput, &proposals())
}

const BUSY: [Rung; 8] = [Rung::L0b, Rung::L0c, Rung::L0d, Rung::L0e, Rung::L1, Rung::L2, Rung::L4, Rung::L6];

#[test]
fn in_mode_block_every_rung_does_its_part() {
    let Climbed { payload, report } = go(&with(&[]));
    let right = json!({
        "name": "Blue Box", "count": 3, "department": "sales", "status": "open", "score": 4, "done": false,
    });
    assert_eq!((payload, report.outcome), (Some(right), LadderOutcome::Accepted), "{:?}", report.findings);
    let rungs: Vec<Rung> = report.changes.iter().map(|change| change.rung).collect();
    assert_eq!(rungs, BUSY);
    let changed = |rung: Rung| report.rungs.iter().find(|record| record.rung == rung).unwrap().status;
    assert!(BUSY.iter().all(|rung| changed(*rung) == RungStatus::Changed));
}

#[test]
fn a_rung_that_is_off_leaves_no_trace() {
    for rung in BUSY {
        let report = go(&with(&[(rung, LadderMode::Off)])).report;
        assert!(report.changes.iter().all(|change| change.rung != rung), "{rung}");
        // A proposal for it is refused in words, and that is all.
        let own = |code: &str| !matches!(code, "D1718" | "D1750" | "D1752");
        assert!(report.findings.iter().all(|finding| finding.rung != rung || !own(&finding.code)), "{rung}");
        let record = report.rungs.iter().find(|record| record.rung == rung).unwrap();
        assert_eq!((record.mode, record.status), (LadderMode::Off, RungStatus::Off));
        assert_eq!((record.changes, record.findings), (0, usize::from(rung == Rung::L6)));
    }
}

#[test]
fn a_rung_that_only_reports_suggests_what_it_would_have_done() {
    for rung in BUSY {
        let report = go(&with(&[(rung, LadderMode::Report)])).report;
        assert!(report.changes.iter().all(|change| change.rung != rung), "{rung}");
        assert!(report.suggestions.iter().all(|change| change.rung == rung), "{rung}");
        assert_eq!(report.suggestions.len(), 1, "{rung}");
        assert!(report.findings.iter().all(|finding| finding.rung != rung || !finding.blocks), "{rung}");
    }
}

#[test]
fn everything_in_mode_report_changes_and_refuses_nothing() {
    let all: Vec<(Rung, LadderMode)> = Rung::ALL.into_iter().map(|rung| (rung, LadderMode::Report)).collect();
    let Climbed { payload: after, report } = go(&with(&all));
    assert_eq!((after, report.outcome), (Some(payload()), LadderOutcome::Accepted));
    assert!(report.changes.is_empty() && report.findings.iter().all(|finding| !finding.blocks));
    assert_eq!(report.output_hash, Some(report.input_hash));
    assert!(!report.suggestions.is_empty() && !report.findings.is_empty());
}

#[test]
fn everything_off_is_the_payload_itself() {
    let all: Vec<(Rung, LadderMode)> = Rung::ALL.into_iter().map(|rung| (rung, LadderMode::Off)).collect();
    let Climbed { payload: after, report } = go(&with(&all));
    assert_eq!((after, report.outcome), (Some(payload()), LadderOutcome::Accepted));
    assert!(report.changes.is_empty() && report.suggestions.is_empty());
    assert!(report.findings.iter().all(|finding| finding.code == "D1718" && !finding.blocks), "{:?}", report.findings);
    assert!(report.proposals.iter().all(|record| record.verdict == ProposalVerdict::Refused));
}

#[test]
fn a_phase_speaks_over_the_rest() {
    let mut contract = contract();
    contract["modes"] = json!({ "L0e": "off", "L5": "report" });
    contract["phases"] = json!({ "final_output": { "L0e": "block", "L4": "report" }, "ingestion": {} });
    let ladder = Ladder::new(serde_json::from_value(contract).unwrap()).unwrap();
    let mode = |phase, rung| ladder.mode(phase, rung);
    assert_eq!(mode(Phase::FinalOutput, Rung::L0e), LadderMode::Block);
    assert_eq!(mode(Phase::FinalOutput, Rung::L4), LadderMode::Report);
    assert_eq!(mode(Phase::FinalOutput, Rung::L5), LadderMode::Report);
    assert_eq!(mode(Phase::Ingestion, Rung::L0e), LadderMode::Off);
    assert_eq!(mode(Phase::Ingestion, Rung::L4), LadderMode::Block);
    for phase in Phase::ALL {
        let report = climb(&ladder, Input::Value(&payload()), phase, &proposals()).report;
        assert_eq!(report.phase, phase);
        let ran: Vec<LadderMode> = report.rungs.iter().map(|record| record.mode).collect();
        let asked: Vec<LadderMode> = report.rungs.iter().map(|record| ladder.mode(phase, record.rung)).collect();
        assert_eq!(ran, asked);
    }
}

#[test]
fn the_record_counts_what_each_rung_did() {
    let report = go(&with(&[])).report;
    assert_eq!(report.rungs.len(), 12);
    assert_eq!(report.rungs.iter().map(|record| record.changes).sum::<usize>(), report.changes.len());
}

#[test]
fn changes_carry_hashes_of_what_stood_there() {
    let report = go(&with(&[])).report;
    let null = report.changes.iter().find(|change| change.rung == Rung::L0d).unwrap().before;
    let removed = report.changes.iter().find(|change| change.rung == Rung::L4).unwrap();
    assert_eq!(removed.after, null, "nothing stands there afterwards");
    let moved = report.changes.iter().find(|change| change.rung == Rung::L0b).unwrap();
    assert_eq!(moved.before, moved.after, "a renamed value is the same value");
    let replaced = report.changes.iter().find(|change| change.rung == Rung::L2).unwrap();
    assert_ne!(replaced.before, replaced.after);
    assert!(report.changes.iter().all(|change| !change.why.is_empty() && !change.rule.is_empty()));
}

#[test]
fn a_record_that_was_tampered_with_is_refused() {
    let Climbed { payload: after, report } = go(&with(&[]));
    let after = after.unwrap();
    assert_eq!(undo(&report, &after), Ok(payload()));
    let mut forged = report.clone();
    forged.changes[0].inverse = vec![PatchOp::Move { from: "/name".to_owned(), path: "/subject".to_owned() }];
    assert!(undo(&forged, &after).is_err());
    let mut forged = report.clone();
    forged.changes[0].patch = vec![PatchOp::Replace { path: "/title".to_owned(), value: json!("red box").into() }];
    assert!(redo(&forged, &payload()).is_err());
    let mut forged = report.clone();
    forged.changes.pop();
    assert!(undo(&forged, &after).is_err() && redo(&forged, &payload()).is_err());
    assert_eq!(undo(&report, &payload()), Err(ReplayError::OtherPayload));
    assert_eq!(redo(&report, &after), Err(ReplayError::OtherPayload));
    let mut forged = report;
    forged.changes[0].inverse = vec![PatchOp::Remove { path: "/nowhere".to_owned() }];
    assert!(matches!(undo(&forged, &after), Err(ReplayError::DoesNotApply { change: 0, .. })));
}

#[test]
fn the_budget_is_the_last_word() {
    let spent = |most: usize| {
        let mut contract = contract();
        contract["edit_budget"] = json!({ "most_changes": most });
        let ladder = Ladder::new(serde_json::from_value(contract).unwrap()).unwrap();
        let report = go(&ladder).report;
        (report.outcome, report.budget.unwrap())
    };
    let (outcome, budget) = spent(8);
    assert_eq!((outcome, budget.changes, budget.exceeded), (LadderOutcome::Accepted, 8, false));
    let (outcome, budget) = spent(7);
    assert_eq!((outcome, budget.changes, budget.exceeded), (LadderOutcome::Rejected, 7, false));
    let (outcome, budget) = spent(5);
    assert_eq!((outcome, budget.exceeded), (LadderOutcome::Rejected, true));
    assert_eq!(go(&with(&[])).report.budget, None);
}

#[test]
fn a_rung_that_suggests_has_not_simply_passed() {
    let report = go(&with(&[(Rung::L0e, LadderMode::Report)])).report;
    let record = report.rungs.iter().find(|record| record.rung == Rung::L0e).unwrap();
    assert_ne!(record.status, RungStatus::Passed);
}

#[test]
fn a_text_that_may_not_be_repaired_is_refused_in_words() {
    let report = climb(
        &with(&[(Rung::L0, LadderMode::Report)]),
        Input::Text("{'name': 'x'}"),
        Phase::StepInput,
        &Proposals::default(),
    )
    .report;
    assert_eq!(report.outcome, LadderOutcome::Rejected);
    assert!(report.findings.iter().any(|finding| finding.blocks));
}
