//! Kinds, slots, policies, adapters and capabilities of one's own.

use super::example::{ENTITY, PACK, example};
use crate::common::Project;

const KINDS: &str = "- kind_key: table.ledger
  purpose: Rows as our ledger exports them.
  format: other
  shape: rows
  extensions: [ledger]
  media_type: application/x-ledger
  readable: false
";
const SLOTS: &str =
    "- slot: ledger_export\n  purpose: What the ledger gives.\n  kinds: [table.ledger, table.json_rows]\n";
const ADAPTERS: &str = "- adapter_id: ledger_to_csv.v1
  from: [table.ledger]
  to: table.csv
  loss: lossy
  drops: the signatures of the clerks
";
const POLICY: &str = "policy_profile_id: house.keeps-values.v1
purpose: Nothing may be lost.
rules:
  adapters: keeps_values
  generic: false
  unknown_columns: false
  provenance: none
  effects_need_gate: false
  explicit_contracts: false
";
const CAPABILITIES: &str = "- capability: ledger.post\n  purpose: Posts to the ledger.\n  external: true\n";

/// The pack, and beside it a folder with one of each.
fn house() -> Project {
    let p = example();
    p.write("house/kinds/ours.yaml", KINDS);
    p.write("house/slots/ours.yaml", SLOTS);
    p.write("house/adapters/ours.yaml", ADAPTERS);
    p.write("house/policies/house.yaml", POLICY);
    p.write("house/capabilities/ours.yaml", CAPABILITIES);
    let plan = std::fs::read_to_string(p.path("plan.yaml")).unwrap();
    let plan = plan.replace("slot: normalized_rows", "slot: ledger_export").replace("claims.csv", "claims.ledger");
    p.write("ledger.yaml", plan.replace("    objective: MUST", "    tool_needs: [ledger.post]\n    objective: MUST"));
    p
}

const BOTH: [&str; 4] = ["--catalog", "claims", "--catalog", "house"];

/// From the ledger to CSV by the folder's adapter, and on to rows by a built-in one.
#[test]
fn all_of_them_in_a_plan() {
    let p = house();
    let out = p.ok(&["catalog", "lint", "house", "--lines"]);
    assert_eq!(out.stdout, "0 packs, 0 entities: it can be used; 1 warning\n");
    assert!(out.stderr.contains("warning[D1817] no built-in adapter runs `ledger_to_csv.v1`"), "{}", out.stderr);
    let out = p.ok(&[&["plan", "check", "ledger.yaml", "--lines"], &BOTH[..]].concat());
    assert_eq!(out.stdout, "claims: 1 step, 2 adapters inserted, 0 gates; bindings: 1 by adapter\n");
    assert!(
        out.stderr.contains("warning[D1952]") && out.stderr.contains("the signatures of the clerks"),
        "{}",
        out.stderr
    );
    let explained = p.ok(&[&["plan", "explain", "ledger.yaml", "decide"], &BOTH[..]].concat()).stdout;
    assert!(explained.contains("ledger_to_csv.v1, then csv_to_json_rows.v1"), "{explained}");
    assert!(p.ok(&["catalog", "show", "ledger_to_csv.v1", "--catalog", "house"]).stdout.contains("loss: lossy"));
}

/// The same plan under the folder's policy, which lets nothing be lost.
#[test]
fn a_policy_of_the_house() {
    let p = house();
    let under = |name: &str| {
        let plan = std::fs::read_to_string(p.path(name)).unwrap();
        plan.replacen("\ninputs:", "\npolicy_profile_id: house.keeps-values.v1\ninputs:", 1)
    };
    p.write("strict.yaml", under("ledger.yaml"));
    let out = p.run(&[&["plan", "check", "strict.yaml", "--lines"], &BOTH[..]].concat());
    assert!(out.code == 1 && out.stderr.contains("error[D1945]"), "{}", out.stderr);
    p.write("typed.yaml", under("plan.yaml"));
    p.ok(&[&["plan", "check", "typed.yaml"], &BOTH[..]].concat());
}

/// Built-in types cannot be changed from outside, and neither can those of another folder.
#[test]
fn names_that_are_taken() {
    let p = house();
    p.write("k/kinds/a.yaml", KINDS.replace("table.ledger", "table.csv"));
    p.write("k/slots/a.yaml", SLOTS.replace("ledger_export", "findings").replace("table.ledger, ", ""));
    p.write("k/adapters/a.yaml", ADAPTERS.replace("ledger_to_csv", "csv_to_tsv").replace("table.ledger", "table.tsv"));
    p.write("k/capabilities/a.yaml", CAPABILITIES.replace("ledger.post", "http.submit").replace("true", "false"));
    p.write("k/policies/a.yaml", POLICY.replace("house.keeps-values.v1", "strict.fail-closed.v1"));
    let answer = p.json(&["catalog", "lint", "k"]);
    let taken = answer["diagnostics"].as_array().unwrap().iter().filter(|found| found["code"] == "D1804").count();
    assert_eq!((&answer["ok"], taken), (&false.into(), 5), "{answer}");
    p.refuses(&["catalog", "list", "--catalog", "house", "--catalog", "house"], 1, "D1804", "already");
}

#[test]
fn things_that_make_no_sense() {
    let p = house();
    p.write("bad/kinds/a.yaml", KINDS.replace("[ledger]", "[]"));
    p.write(
        "bad/slots/a.yaml",
        "- { slot: Bad Slot, purpose: p, kinds: [] }\n- { slot: s, purpose: p, kinds: [table.cvs] }\n",
    );
    p.write(
        "bad/adapters/a.yaml",
        "- { adapter_id: a.v1, from: [table.csv], to: table.csv, loss: none }
- { adapter_id: b.v1, from: [], to: table.csv, loss: none }
- { adapter_id: c.v1, from: [table.csv], to: file.text, loss: lossy }
- { adapter_id: d.v1, from: [table.cvs], to: table.csv, loss: none }
- { adapter_id: ../e, from: [table.csv], to: file.text, loss: none }
",
    );
    let said = p.run(&["catalog", "lint", "bad", "--lines"]);
    assert_eq!(said.code, 1);
    for says in [
        "error[D1815] files of kind `table.ledger` have no extension",
        "error[D1803] `Bad Slot` is not a name",
        "error[D1815] slot `Bad Slot` carries nothing",
        "`s` names the unknown kind `table.cvs` (help: did you mean `table.csv`?)",
        "error[D1817] `a.v1` leads nowhere",
        "error[D1817] `b.v1` leads nowhere",
        "error[D1817] `c.v1` is lossy and does not say what it drops",
        "error[D1817] `d.v1` names the unknown kind `table.cvs`",
        "error[D1803] `../e` is not a name",
    ] {
        assert!(said.stderr.contains(says), "{says}\n{}", said.stderr);
    }
}

/// A declaration can be bound, and cannot be run here.
#[test]
fn an_adapter_that_is_only_declared() {
    let p = house();
    p.write("x.ledger", "");
    let args = ["catalog", "adapt", "ledger_to_csv.v1", "x.ledger", "--catalog", "house"];
    p.refuses(&args, 1, "D1822", "is declared, but it is not built in");
}

/// With a pack in the same folder.
#[test]
fn one_folder_with_everything() {
    let p = house();
    p.write("house/packs/claims/pack.yaml", PACK);
    p.write("house/packs/claims/entities/insurance.claim.yaml", ENTITY);
    p.ok(&["init", "--tenant", "tenant_acme"]);
    assert_eq!(p.ok(&["catalog", "add", "house"]).stdout, "added domain insurance-claims\n");
    p.ok(&["plan", "check", "ledger.yaml"]);
}
