//! Golden cases: the packs of the repository pass theirs, and a case that is wrong in one place is found in that place.

#[path = "../../../../tests/suite/case.rs"]
mod suite;

use crate::common::{bundle, document, root};
use deed_context::GoldenRunner;
use deed_diag::{Diagnostic, Document, Format, Style};
use deed_pack::{Bundle, Gate, lint_gates, lint_with};
use serde_json::{Value, json};

/// The pack folders of the repository.
fn packs() -> Vec<String> {
    let entries = std::fs::read_dir(root().join("packs")).unwrap().map(|e| e.unwrap());
    let mut names: Vec<String> = entries
        .filter(|e| e.path().join("pack.yaml").is_file())
        .map(|e| format!("packs/{}", e.file_name().to_string_lossy()))
        .collect();
    names.sort();
    names
}

#[test]
fn every_pack_passes_with_its_golden_cases() {
    let packs = packs();
    assert!(packs.len() >= 2, "{packs:?}");
    for folder in packs {
        let bundle = bundle(&folder);
        assert!(bundle.golden.len() >= 8, "{folder} has {} golden cases", bundle.golden.len());
        let report = lint_with(&bundle, &Gate::ALL, &GoldenRunner).report;
        assert!(report.diagnostics().is_empty(), "{folder}\n{}", report.render(Style::Plain));
    }
}

/// A finding as the tables below write it.
fn line(finding: &Diagnostic) -> String {
    let pointer = finding.place.as_ref().and_then(|place| place.pointer.as_deref()).unwrap_or("-");
    let pointer = if pointer.is_empty() { "root" } else { pointer };
    format!("{} {} {pointer}: {}", finding.severity, finding.code, finding.message)
}

/// A pack with these golden cases and no others.
fn with_cases(folder: &str, cases: &[(&str, Value)]) -> Bundle {
    let whole = bundle(folder);
    let golden = cases.iter().map(|(name, case)| {
        let bytes = serde_json::to_vec_pretty(case).unwrap();
        Document::read(&format!("golden/{name}.json"), &bytes, Format::Json).unwrap()
    });
    Bundle::new(whole.document.clone(), whole.overlays.clone(), golden.collect())
}

/// What the replay gate says of them.
fn replay(folder: &str, cases: &[(&str, Value)]) -> Vec<String> {
    let bundle = with_cases(folder, cases);
    let report = lint_with(&bundle, &[Gate::Replay], &GoldenRunner).report;
    assert!(report.diagnostics().iter().all(|d| d.stage == "replay"));
    report.diagnostics().iter().map(line).collect()
}

/// A golden case of the repository.
fn case(folder: &str, name: &str) -> Value {
    document(&format!("{folder}/golden/{name}.yaml")).value().clone()
}

/// Sets a member, or takes it away with `null`.
fn set(case: &mut Value, pointer: &str, value: Value) {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    let key = key.replace("~1", "/");
    match case.pointer_mut(parent).unwrap_or_else(|| panic!("no {parent}")) {
        Value::Object(fields) if value.is_null() => drop(fields.remove(&key).unwrap()),
        Value::Object(fields) => drop(fields.insert(key, value)),
        Value::Array(items) => items[key.parse::<usize>().unwrap()] = value,
        other => panic!("{other} has no members"),
    }
}

/// Compares a table of edits with what the gate says after each. A line is a pack, a case, a pointer and either `=` with
/// the value that is put there or `gone`; the lines that are indented below it are all findings, in order.
#[track_caller]
fn check(table: &str) {
    let mut found = String::new();
    for edit in table.lines().filter(|line| !line.starts_with(' ') && !line.is_empty()) {
        let [pack, name, pointer, what, ..] = edit.split(' ').collect::<Vec<_>>()[..] else { panic!("{edit}") };
        let value = match what {
            "gone" => Value::Null,
            _ => serde_json::from_str(edit.split_once(" = ").unwrap().1).unwrap_or_else(|e| panic!("{edit}: {e}")),
        };
        let folder = format!("packs/{pack}");
        let mut edited = case(&folder, name);
        set(&mut edited, pointer, value);
        found += &format!("{edit}\n");
        replay(&folder, &[(name, edited)]).iter().for_each(|line| found += &format!("  {line}\n"));
    }
    assert_eq!(found, table.trim_start_matches('\n'), "found:\n{found}");
}

const SUPPORT: &str = "packs/support";

#[test]
fn another_outcome_is_found() {
    check(
        r#"
support 01_allow /expect/outcome = "must_refuse"
  error D0703 /expect/outcome: expected `must_refuse` and found `compiled`
support 01_allow /expect/outcome = "refused"
  error D0703 /expect/outcome: expected `refused` and found `compiled`
support 01_allow /expect/code = "D1511"
  error D0703 /expect/code: expected a refusal with `D1511` and found none
support 02_deny_unverified /expect/outcome = "compiled"
  error D0703 /expect/outcome: expected `compiled` and found `must_refuse`
support 03_approval_needed /expect/outcome = "compiled"
  error D0703 /expect/outcome: expected `compiled` and found `must_escalate`
grid 07_crew_in_a_storm /expect/outcome = "compiled"
  error D0703 /expect/outcome: expected `compiled` and found `must_escalate`
grid 14_unknown_intent /expect/outcome = "compiled"
  error D0703 /expect/outcome: expected `compiled` and found `refused`: `ctxpack.grid@1.0.0` does not handle the intent `grid.energise` (D1511)
grid 14_unknown_intent /expect/code = "D1512"
  error D0703 /expect/code: expected the refusal `D1512` and found `D1511`: `ctxpack.grid@1.0.0` does not handle the intent `grid.energise`
grid 14_unknown_intent /expect/tools = []
  error D0704 /expect/tools: `tools` is expected, and a refused compile has none
grid 13_overlay_not_applied /overlays = ["staging", "production"]
  error D0703 /expect/outcome: expected `refused` and found `must_refuse`
"#,
    );
}

#[test]
fn a_list_that_differs_is_found() {
    check(
        r#"
support 03_approval_needed /expect/rules = ["R_HIGH_VALUE_REQUIRES_APPROVAL", "R_REFUND_REQUIRES_IDV"]
  error D0704 /expect/rules: `rules`: found the same in another order or number
support 03_approval_needed /expect/rules = ["R_REFUND_REQUIRES_IDV"]
  error D0704 /expect/rules: `rules`: found and not expected: `R_HIGH_VALUE_REQUIRES_APPROVAL`
support 03_approval_needed /expect/tools = ["adp_orders.lookup", "adp_policy.eval"]
  error D0704 /expect/tools: `tools`: found and not expected: `adp_payments.issue_refund`
support 03_approval_needed /expect/tools/2 = "adp_payments.capture"
  error D0704 /expect/tools: `tools`: expected `adp_payments.capture` and found `adp_payments.issue_refund`
support 03_approval_needed /expect/evidence = []
  error D0704 /expect/evidence: `evidence`: found and not expected: `tool:adp_orders.lookup:call_1`, `kg:customer:cus_17#snapshot_kg_2026_05_03_T0930`, `kg:order:ord_881#snapshot_kg_2026_05_03_T0930` and 2 more
support 03_approval_needed /expect/memory = ["mem_pref_17", "mem_pref_18"]
  error D0704 /expect/memory: `memory`: expected and not found: `mem_pref_18`
support 03_approval_needed /expect/must_refuse = []
  error D0704 /expect/must_refuse: `must_refuse`: found and not expected: `refund_without_identity`
support 03_approval_needed /expect/must_escalate = ["fraud_signal_high", "rule:R_REFUND_REQUIRES_IDV"]
  error D0704 /expect/must_escalate: `must_escalate`: expected and not found: `rule:R_REFUND_REQUIRES_IDV`
support 03_approval_needed /expect/approval_gates_active = []
  error D0704 /expect/approval_gates_active: `approval_gates_active`: found and not expected: `GATE_FINANCE_APPROVAL`
support 03_approval_needed /expect/redaction_rules_active = ["pan"]
  error D0704 /expect/redaction_rules_active: `redaction_rules_active`: found and not expected: `credit_card`
support 03_approval_needed /expect/blocks/1 = "pol_9"
  error D0704 /expect/blocks: `blocks`: expected `pol_9` and found `pol_0`
"#,
    );
}

#[test]
fn a_map_that_differs_is_found() {
    check(
        r#"
support 01_allow /expect/verdicts/R_REFUND_REQUIRES_IDV = "deny"
  error D0704 /expect/verdicts/R_REFUND_REQUIRES_IDV: expected `R_REFUND_REQUIRES_IDV` to `deny` and found `require`
support 01_allow /expect/verdicts/R_HIGH_VALUE_REQUIRES_APPROVAL = "require"
  error D0704 /expect/verdicts/R_HIGH_VALUE_REQUIRES_APPROVAL: expected `R_HIGH_VALUE_REQUIRES_APPROVAL` to `require`, and it did not fire
support 07_safety_ceiling /expect/hidden/adp_payments.issue_refund = ["policy"]
  error D0704 /expect/hidden/adp_payments.issue_refund: expected `adp_payments.issue_refund` to be hidden by `policy` and found `safety_mode`
support 07_safety_ceiling /expect/hidden/adp_policy.eval = []
  error D0704 /expect/hidden/adp_policy.eval: expected `adp_policy.eval` to be hidden by nothing and found `prohibition`
support 07_safety_ceiling /expect/hidden/adp_payment.issue_refund = []
  error D0704 /expect/hidden/adp_payment.issue_refund: the pack has no capability `adp_payment.issue_refund`
support 09_write_retry /expect/arguments/adp_payments.issue_refund/amount_inr = {"min": 1, "max": 5000}
  error D0704 /expect/arguments/adp_payments.issue_refund/amount_inr: expected the bound `{"min":1,"max":5000}` on `amount_inr` and found `{"min":1,"max":50000,"equals":4200}`
support 09_write_retry /expect/arguments/adp_payments.issue_refund/reason = {"required": true}
  error D0704 /expect/arguments/adp_payments.issue_refund/reason: expected the bound `{"required":true}` on `reason` and found none
support 09_write_retry /expect/arguments/adp_orders.refund = {}
  error D0704 /expect/arguments/adp_orders.refund: expected bounds on `adp_orders.refund`, which is not surfaced
support 04_stale_evidence /expect/rejected_evidence/tool:adp_orders.lookup:call_0 = ["hash_mismatch"]
  error D0704 /expect/rejected_evidence/tool:adp_orders.lookup:call_0: expected `hash_mismatch` against `tool:adp_orders.lookup:call_0` and found `expired`
support 04_stale_evidence /expect/rejected_evidence/tool:adp_orders.lookup:call_1 = ["expired"]
  error D0704 /expect/rejected_evidence/tool:adp_orders.lookup:call_1: expected `expired` against `tool:adp_orders.lookup:call_1` and found nothing
support 04_stale_evidence /expect/rejected_evidence/tool:adp_orders.lookup:call_2 = []
  error D0704 /expect/rejected_evidence/tool:adp_orders.lookup:call_2: `tool:adp_orders.lookup:call_2` was not supplied
grid 10_memory_cap /expect/rejected_memory/mem_f19 = ["other_subject"]
  error D0704 /expect/rejected_memory/mem_f19: expected `other_subject` against `mem_f19` and found `other_subject`, `other_intent`, `above_classification`
grid 10_memory_cap /expect/rejected_memory/mem_f12_last = ["expired"]
  error D0704 /expect/rejected_memory/mem_f12_last: expected `expired` against `mem_f12_last` and found nothing
"#,
    );
}

#[test]
fn totals_leave_nothing_out() {
    check(
        r#"
support 10_redaction /expect/redactions/credit_card = 2
  error D0704 /expect/redactions/credit_card: expected `credit_card` to hide 2 and found 3
support 10_redaction /expect/redactions/pan gone
  error D0704 /expect/redactions: expected `pan` to hide nothing and found 1
support 10_redaction /expect/redactions/credit_cards = 0
  error D0704 /expect/redactions/credit_cards: the pack has no redaction rule `credit_cards`
support 08_budget_pressure /expect/dropped/evidence = ["ev_0", "ev_2"]
  error D0704 /expect/dropped/evidence: `dropped.evidence`: expected and not found: `ev_0`
support 08_budget_pressure /expect/dropped/evidence gone
  error D0704 /expect/dropped: expected `evidence` to lose nothing and found [ev_2]
support 08_budget_pressure /expect/dropped/session = ["session"]
  error D0704 /expect/dropped/session: `dropped.session`: expected and not found: `session`
support 08_budget_pressure /expect/tokens_allocated/memory = 11
  error D0704 /expect/tokens_allocated/memory: expected 11 tokens for `memory` and found 10
support 01_allow /expect/compiled_context_hash = "sha256:00"
  error D0704 /expect/compiled_context_hash: the compiled context has another hash
"#,
    );
}

#[test]
fn the_prompt_is_searched() {
    check(
        r#"
support 10_redaction /expect/prompt_lacks/0 = "card numbers"
  error D0704 /expect/prompt_lacks/0: found `card numbers` in the prompt, which must not contain it
support 10_redaction /expect/prompt_has/1 = "[redacted:iban]"
  error D0704 /expect/prompt_has/1: expected `[redacted:iban]` in the prompt, and it is missing
support 10_redaction /expect/prompt_has/0 = "on 4111111111111111"
  error D0704 /expect/prompt_has/0: expected a text that is not shown here in the prompt, and it is missing
"#,
    );
}

#[test]
fn an_input_that_moves_is_found_everywhere() {
    // Another amount is another request: nearly everything that the case says is wrong, and all of it is told.
    check(
        r#"
support 01_allow /request/input/context/refund_amount = 3001
  error D0703 /expect/outcome: expected `compiled` and found `must_escalate`
  error D0704 /expect/rules: `rules`: found and not expected: `R_HIGH_VALUE_REQUIRES_APPROVAL`
  error D0704 /expect/approval_gates_active: `approval_gates_active`: found and not expected: `GATE_FINANCE_APPROVAL`
  error D0704 /expect/compiled_context_hash: the compiled context has another hash
  error D0704 /expect/prompt_lacks/0: found `only after approval` in the prompt, which must not contain it
  error D0704 /expect/prompt_lacks/1: found `GATE_FINANCE_APPROVAL` in the prompt, which must not contain it
"#,
    );
}

#[test]
fn a_case_that_cannot_be_read_is_no_case() {
    check(
        r#"
support 01_allow /expects = {}
  error D0702 /expects: unknown key `expects`
support 01_allow /expect/tool = []
  error D0702 /expect/tool: unknown key `tool`
support 01_allow /expect/outcome = "denied"
  error D0702 /expect/outcome: `denied` does not have the form of `outcome`
support 01_allow /expect/verdicts/R_REFUND_REQUIRES_IDV = "allowed"
  error D0702 /expect/verdicts/R_REFUND_REQUIRES_IDV: `allowed` is not allowed here
support 01_allow /expect/tokens_allocated = {"evidnce": 1}
  error D0702 /expect/tokens_allocated/evidnce: `evidnce` is not a bucket
support 01_allow /expect/redactions = {"pan": -1}
  error D0702 /expect/redactions/pan: `pan` is out of range: -1 is less than the minimum of 0
support 01_allow /description gone
  error D0702 root: `description` is missing
support 01_allow /request/input gone
  error D0702 /request: `input` is missing in `request`
support 01_allow /run/safety_mode = "careful"
  error D0702 /run/safety_mode: `careful` is not allowed here
support 01_allow /run/as_of gone
  error D0702 /run: the run context has no `as_of`
support 01_allow /run/as_of = "yesterday"
  error D0702 /run/as_of: `as_of` is not an RFC 3339 time: `yesterday`
support 01_allow /run/tokenizer = "abacus"
  error D0702 /run/tokenizer: unknown tokenizer `abacus`
support 01_allow /run/run_budget/bucket_tokens = "many"
  error D0702 /run/run_budget/bucket_tokens: `bucket_tokens` must be an integer or an object, not a string
support 01_allow /evidence/0/payload_hsh = "sha256:00"
  error D0702 /evidence/0/payload_hsh: unknown key `payload_hsh`
support 01_allow /evidence/0/evidence_ref gone
  error D0702 /evidence/0: `evidence_ref` is missing in `evidence[0]`
grid 10_memory_cap /memory/1/expires = "never"
  error D0702 /memory/1/expires: unknown key `expires`
"#,
    );
}

#[test]
fn a_case_that_cannot_be_prepared_is_reported() {
    check(
        r#"
grid 12_production_22_kv /overlays = ["prodution"]
  error D0705 /overlays: the pack has no overlay `prodution`
"#,
    );
}

#[test]
fn an_unusable_pack_is_reported_at_every_case() {
    let mut pack = bundle(SUPPORT).document.value().clone();
    set(&mut pack, "/policy_layer/guardrails/redaction_rules", json!(["creditcard"]));
    set(&mut pack, "/pack_meta/overlays", Value::Null);
    let read = |name: &str, value: &Value| {
        Document::read(name, &serde_json::to_vec_pretty(value).unwrap(), Format::Json).unwrap()
    };
    let mut refused = case(SUPPORT, "01_allow");
    set(&mut refused, "/expect", json!({ "outcome": "refused", "code": "D1509" }));
    let golden = vec![read("golden/a.json", &case(SUPPORT, "01_allow")), read("golden/b.json", &refused)];
    let bundle = Bundle::new(read("pack.json", &pack), Default::default(), golden);
    let report = lint_with(&bundle, &[Gate::Replay], &GoldenRunner).report;
    assert_eq!(
        report.diagnostics().iter().map(line).collect::<Vec<_>>(),
        ["error D0705 /expect/outcome: the redaction rule `creditcard` cannot be used: there is no detector for it"]
    );
}

#[test]
fn weak_cases_are_doubted() {
    check(
        r#"
support 01_allow /expect = {"outcome": "compiled"}
  warning D0706 /expect/outcome: the case expects nothing beyond the outcome
grid 14_unknown_intent /expect/code gone
  warning D0706 /expect/outcome: the case expects nothing beyond the outcome
"#,
    );
}

#[test]
fn what_is_no_object_is_no_case() {
    assert_eq!(replay(SUPPORT, &[("a", json!("refund"))]), ["error D0702 root: a golden case must be an object"]);
}

#[test]
fn a_case_may_be_about_an_input_that_is_refused() {
    let mut refused = case(SUPPORT, "01_allow");
    set(&mut refused, "/run/as_of", Value::Null);
    set(&mut refused, "/expect", json!({ "outcome": "refused", "code": "D1507" }));
    assert_eq!(replay(SUPPORT, &[("a", refused.clone())]), Vec::<String>::new());
    set(&mut refused, "/expect/code", json!("D1508"));
    assert_eq!(
        replay(SUPPORT, &[("a", refused)]),
        ["error D0703 /expect/code: expected the refusal `D1508` and found `D1507`: the run context has no `as_of`"]
    );
}

#[test]
fn cases_have_names_of_their_own() {
    let same = case(SUPPORT, "01_allow");
    assert_eq!(replay(SUPPORT, &[("one", same.clone()), ("two", same.clone())]), Vec::<String>::new());
    assert_eq!(
        replay(SUPPORT, &[("a/one", same.clone()), ("b/one", same)]),
        ["warning D0706 root: two golden cases are named `one`"]
    );
}

#[test]
fn every_case_is_reported() {
    let mut first = case(SUPPORT, "01_allow");
    set(&mut first, "/expect/rules", json!([]));
    set(&mut first, "/expect/memory", json!(["mem_1"]));
    let mut second = case(SUPPORT, "07_safety_ceiling");
    set(&mut second, "/expect/outcome", json!("must_refuse"));
    let found = replay(SUPPORT, &[("a", first), ("b", json!({})), ("c", second)]);
    assert_eq!(
        found,
        [
            "error D0704 /expect/rules: `rules`: found and not expected: `R_REFUND_REQUIRES_IDV`",
            "error D0704 /expect/memory: `memory`: expected and not found: `mem_1`",
            "error D0702 root: `description` is missing",
            "error D0702 root: `request` is missing",
            "error D0702 root: `run` is missing",
            "error D0702 root: `expect` is missing",
            "error D0703 /expect/outcome: expected `must_refuse` and found `compiled`",
        ]
    );
}

#[test]
fn a_reference_that_came_twice_answers_for_both() {
    let mut twice = case(SUPPORT, "01_allow");
    let mut again = twice["evidence"][0].clone();
    again["content"] = json!("another text under the same reference");
    twice["evidence"].as_array_mut().unwrap().push(again);
    set(&mut twice, "/expect", json!({ "outcome": "compiled", "evidence": [] }));
    let reasons = json!({ "tool:adp_orders.lookup:call_1": ["hash_mismatch", "repeated_ref"] });
    set(&mut twice, "/expect/rejected_evidence", reasons);
    assert_eq!(replay(SUPPORT, &[("a", twice)]), Vec::<String>::new());
}

#[test]
fn without_a_runner_or_a_case_nothing_is_taken_for_replayed() {
    assert_eq!(replay(SUPPORT, &[]), ["warning D0701 -: no golden cases were run"]);
    let report = lint_gates(&bundle(SUPPORT), &[Gate::Replay]).report;
    assert_eq!(
        report.diagnostics().iter().map(line).collect::<Vec<_>>(),
        ["warning D0701 -: no golden cases were run"]
    );
}

/// Cases that are about the replay gate and fail it are told of by the suite itself.
#[test]
fn golden_cases_of_the_suite_hold() {
    let meant = |case: &suite::Case| !case.files.golden.is_empty() && (case.gate != "replay" || case.passes());
    let cases: Vec<suite::Case> = suite::cases().into_iter().filter(meant).collect();
    assert!(cases.len() >= 3);
    for case in cases {
        let bundle = Bundle::read(&case.files).unwrap();
        let report = lint_with(&bundle, &[Gate::Replay], &GoldenRunner).report;
        assert!(report.diagnostics().is_empty(), "{}\n{}", case.name, report.render(Style::Plain));
    }
}

#[test]
fn secrets_of_a_case_are_never_shown() {
    let secret = ["ghp_", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"].concat();
    let mut case = case(SUPPORT, "01_allow");
    set(&mut case, "/expect/prompt_has/0", json!(secret));
    set(&mut case, "/expect/rules/0", json!(secret));
    set(&mut case, "/request/input/message", json!(format!("token {secret}")));
    set(&mut case, "/expect/prompt_lacks/0", json!(secret));
    set(&mut case, "/expect/rejected_evidence", json!({ secret.as_str(): [] }));
    let bundle = with_cases(SUPPORT, &[("a", case)]);
    let report = lint_with(&bundle, &[Gate::Replay], &GoldenRunner).report;
    assert!(report.has_errors());
    for style in [Style::Plain, Style::Colour, Style::Lines] {
        assert!(!report.render(style).contains(&secret), "{}", report.render(style));
    }
    assert!(!report.to_json().to_string().contains(&secret));
}

/// The inputs under `examples/` of a pack, each a document of its own.
fn example(folder: &str) -> crate::common::Given {
    let value = |name: &str| document(&format!("{folder}/examples/{name}.yaml")).value().clone();
    crate::common::Given::of(value("request"), value("run"), value("evidence"), value("memory"))
}

#[test]
fn every_pack_compiles_its_example() {
    for folder in packs() {
        let pack = crate::common::hydrated(&bundle(&folder), &[]);
        let given = example(&folder);
        let outcome = deed_context::compile(&pack, given.inputs());
        let context = outcome.context().unwrap_or_else(|| panic!("{folder}: {outcome:?}"));
        let ledger = &context.context_ledger;
        assert!(ledger.evidence.iter().all(|e| e.reasons.is_empty()), "{folder}: {:?}", ledger.evidence);
        assert!(ledger.memory.iter().all(|m| m.reasons.is_empty()), "{folder}: {:?}", ledger.memory);
        assert!(context.budget_report.dropped_blocks.is_empty(), "{folder}: {:?}", context.budget_report);
    }
}
