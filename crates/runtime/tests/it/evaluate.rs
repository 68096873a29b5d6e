//! Evaluations of bundles: files by path and role, rubrics in every form, and a proof that names all of it by hash.

use crate::common::{Run, World, plan, python, with};
use deed_canon::ContentHash;
use deed_model::{ApprovalMode, FailureClass, RunEvent};
use deed_ports::BlobRead;
use serde_json::{Value, json};

const BUNDLE: &str = r#"
import deed, json, os, base64
os.makedirs('work/resumes/001')
os.makedirs('work/eval_bundles')
open('work/resumes/001/source_text.md', 'w').write('Ada Lovelace wrote the first program.')
json.dump({'name': 'Ada Lovelace', 'years': 7}, open('work/resumes/001/profile.json', 'w'))
open('work/resumes/001/page.png', 'wb').write(b'\x89PNG\r\n\x1a\n' + b'pixels')
criteria = json.loads(CRITERIA)
json.dump({
    'item_id': 'candidate_001',
    'source_evidence': [
        {'path': 'work/resumes/001/source_text.md', 'role': 'original_resume_text'},
        {'path': 'work/resumes/001/page.png', 'role': 'scanned_page'},
    ],
    'derived_evidence': [{'path': 'work/resumes/001/profile.json', 'role': 'extracted_profile'}],
    'rubric': {'criteria': criteria},
}, open('work/eval_bundles/candidate_001.json', 'w'))
result = deed.call('operator.artifact.evaluate', json.loads(ARGUMENTS))
json.dump(result, open('output/a.json', 'w'))
"#;

fn more() -> Value {
    json!({
        "tool_needs": ["operator.artifact.evaluate"],
        "budget": { "wall_seconds": 30, "governed_calls": 20, "model_tokens": 1000 },
    })
}

fn judged<'w>(world: &'w World, criteria: &Value, arguments: &Value) -> Run<'w> {
    let literal = |value: &Value| format!("{:?}", value.to_string());
    let source = BUNDLE.replace("CRITERIA", &literal(criteria)).replace("ARGUMENTS", &literal(arguments));
    world.run(&plan(vec![python("a", &source, more())]))
}

/// The call of the glossary.
fn call(enforcement: &str) -> Value {
    json!({
        "path": "work/eval_bundles/candidate_001.json",
        "rubric": "Judge extraction fidelity against source resume.",
        "enforcement": enforcement,
    })
}

/// A criterion: the source has the name that was extracted.
fn faithful() -> Value {
    json!({
        "id": "no invented facts", "text": "the name stands in the source",
        "rule": { "in": [{ "var": "derived.extracted_profile.name" }, { "var": "sources.original_resume_text" }] },
    })
}

fn proof(run: &Run<'_>) -> Value {
    let ended = run.events().into_iter().find_map(|event| match event {
        RunEvent::CallEnded { answer } => Some(answer.proof),
        _ => None,
    });
    ended.unwrap()
}

#[test]
fn a_bundle_of_files_is_judged_and_proved() {
    let world = World::new();
    let image = json!({ "id": "image", "rule": { "==": [{ "var": "sources.scanned_page.media_type" }, "image/png"] } });
    let run = judged(&world, &json!([faithful(), image]), &call("block"));
    run.succeeded().verified();
    let result = run.json("output/a.json");
    assert_eq!((&result["verdict"], &result["passes"]), (&json!("pass"), &json!(true)));
    assert_eq!(result["item_id"], "candidate_001");
    let proof = proof(&run);
    assert_eq!(proof["bundle_sha256"], result["bundle_sha256"]);
    assert_eq!(
        (&proof["verdict"], &proof["evaluator"], &proof["model_call_id"]),
        (&json!("pass"), &json!("rules/v1"), &Value::Null)
    );
    let met: Vec<(&str, bool)> = proof["criteria"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| (c["id"].as_str().unwrap(), c["met"].as_bool().unwrap()))
        .collect();
    assert_eq!(met, [("no invented facts", true), ("image", true)]);
    let evidence = proof["evidence"].as_array().unwrap();
    assert_eq!(evidence.len(), 3);
    assert_eq!((&evidence[0]["side"], &evidence[0]["role"]), (&json!("source"), &json!("original_resume_text")));
    let text = ContentHash::of_bytes(b"Ada Lovelace wrote the first program.");
    assert_eq!(evidence[0]["sha256"], json!(text));
    // The bytes of an image are kept under its hash; nothing else of `work/` is.
    let image = ContentHash::of_bytes(b"\x89PNG\r\n\x1a\npixels");
    assert_eq!(evidence[1]["sha256"], json!(image));
    assert!(world.store().open(&image).is_ok() && world.store().open(&text).is_err());
    assert!(!run.journal().contains("wrote the first program"), "evidence is not written down");
}

#[test]
fn a_verdict_blocks_or_is_reported() {
    let world = World::new();
    let invented = json!({ "id": "seven", "rule": { "<": [{ "var": "derived.extracted_profile.years" }, 5] } });
    let run = judged(&world, &json!([faithful(), invented]), &call("block"));
    let failure = run.failure("a");
    assert_eq!((failure.code.as_str(), failure.class), ("D2055", FailureClass::SemanticVerdict), "{failure:?}");
    assert!(failure.message.contains("seven") && !failure.message.contains("invented"), "{failure:?}");
    assert_eq!(proof(&run)["verdict"], "fail");
    let run = judged(&world, &json!([faithful(), invented]), &call("report"));
    run.succeeded().verified();
    assert_eq!(run.json("output/a.json")["verdict"], "fail");
}

#[test]
fn what_needs_a_model_is_refused_plainly() {
    let world = World::new();
    let words = json!(["no invented facts", "no omitted evidence", "rationale cites source"]);
    let run = judged(&world, &words, &call("block"));
    let failure = run.failure("a");
    assert_eq!((failure.code.as_str(), failure.class), ("D2048", FailureClass::OutputShape), "{failure:?}");
    let says = "no evaluator model is configured: the criterion `no invented facts` has no `rule`";
    assert!(failure.message.contains(says), "{failure:?}");
    assert!(failure.help.unwrap().contains("give each criterion a `rule`"));
    // A text alone is one criterion.
    let run = judged(&world, &json!([]), &call("report"));
    assert!(run.failure("a").message.contains("Judge extraction fidelity"), "{:?}", run.failure("a"));
    // One that has rules and one that has not: nothing is judged in part.
    let run = judged(&world, &json!([faithful(), "no omitted evidence"]), &call("report"));
    assert_eq!(run.failure("a").code, "D2048");
}

#[test]
fn the_rubric_of_the_call_is_added_to_that_of_the_bundle() {
    let world = World::new();
    let more =
        json!({ "criteria": [{ "id": "years", "rule": { ">": [{ "var": "derived.extracted_profile.years" }, 5] } }] });
    let run = judged(&world, &json!([faithful()]), &with(call("block"), json!({ "rubric": more })));
    run.succeeded();
    let ids: Vec<String> = run.json("output/a.json")["criteria"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| c["id"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(ids, ["no invented facts", "years"]);
    let run = judged(&world, &json!([faithful()]), &with(call("block"), json!({ "rubric": [faithful()] })));
    assert_eq!(run.failure("a").code, "D2054", "two criteria have one name");
    assert!(run.failure("a").message.starts_with("nothing was judged: "), "{:?}", run.failure("a"));
}

#[test]
fn the_same_path_with_another_file_is_another_call() {
    let world = World::new();
    let source = "
import deed, json
results = []
for n in [1, 2]:
    json.dump({'sources': {'n': n}, 'derived': {}}, open('work/bundle.json', 'w'))
    rubric = [{'id': 'one', 'rule': {'==': [{'var': 'sources.n'}, 1]}}]
    results.append(deed.call('artifact.evaluate', {'path': 'work/bundle.json', 'rubric': rubric, 'enforcement': 'report'}))
json.dump({'verdicts': [r['verdict'] for r in results]}, open('output/a.json', 'w'))
";
    let run = world.run(&plan(vec![python("a", source, more())]));
    run.succeeded().verified();
    assert_eq!(run.json("output/a.json"), json!({ "verdicts": ["pass", "fail"] }));
    let began: Vec<u64> = run
        .events()
        .into_iter()
        .filter_map(|event| match event {
            RunEvent::CallBegan { call } => {
                // Rules alone judge: the call reads, though the tool could ask a model.
                let modes = call.approval_modes.unwrap();
                let expected = [ApprovalMode::Network, ApprovalMode::ReadOnly, ApprovalMode::Network];
                assert_eq!([modes.declared_mode, modes.approval_mode, modes.safety_mode], expected);
                Some(call.occurrence)
            }
            _ => None,
        })
        .collect();
    assert_eq!(began, [0, 0], "each is the first of its bundle");
}

#[test]
fn only_files_of_the_step_are_read() {
    let world = World::new();
    let source = "
import deed, json, os
open('work/blob', 'wb').write(b'\\xff\\xfe\\x00binary')
open('work/big.txt', 'w').write('x' * (17 << 20))
os.mkdir('work/folder')
for made in [lambda: os.mkfifo('work/pipe'), lambda: os.symlink('/etc/passwd', 'work/link')]:
    try: made()
    except OSError: pass
said = []
for path in ['/etc/passwd', '../../etc/passwd', 'work/../../../etc/passwd', 'meta/contract.json', 'input/none', 'work',
             'work/none', 'work/folder', 'work/pipe', 'work/link', 'work/blob', 'work/big.txt', 'output//x', '']:
    bundle = {'source_evidence': [{'path': path, 'role': 'r'}], 'rubric': {'criteria': [{'id': 'x', 'rule': True}]}}
    try: said.append(deed.call('operator.artifact.evaluate', {'bundle': bundle, 'enforcement': 'report'})['verdict'])
    except deed.CallFailed as no: said.append(no.kind)
json.dump({'said': said}, open('output/a.json', 'w'))
";
    let run = world.run(&plan(vec![python("a", source, more())]));
    run.succeeded();
    assert_eq!(run.json("output/a.json"), json!({ "said": vec!["bad_arguments"; 14] }));
}

#[test]
fn an_input_is_evidence_too() {
    let world = World::new();
    world.give("source.txt", "the sum is 42");
    let source = "
import deed, json
bundle = {'source_evidence': [{'path': 'input/source.txt', 'role': 'text'}], 'derived': {'sum': '42'},
          'rubric': {'criteria': [{'id': 'sum', 'rule': {'in': [{'var': 'derived.sum'}, {'var': 'sources.text'}]}}]}}
json.dump(deed.call('operator.artifact.evaluate', {'bundle': bundle}), open('output/a.json', 'w'))
";
    let inputs =
        json!({ "inputs": [{ "slot": "raw_files", "path": "input/source.txt", "entity_schema_id": "generic.file" }] });
    let step = python("a", source, with(more(), json!({ "input_file_paths": ["input/source.txt"] })));
    let run = world.run(&with(plan(vec![step]), inputs));
    run.succeeded().verified();
    assert_eq!(run.json("output/a.json")["verdict"], "pass");
}

/// No verdict is not a yes: a blocking evaluation that could not be made fails the step, also where its code catches that.
/// Arguments that make no sense are on record.
#[test]
fn an_evaluation_that_was_not_made_is_not_passed_over() {
    let run_with = |bundle: &str, rubric: &str, enforcement: &str| {
        let source = format!(
            "import deed\ntry: deed.call('operator.artifact.evaluate', {{'bundle': {bundle}, 'rubric': {rubric}, \
             'enforcement': '{enforcement}'}})\nexcept deed.CallFailed: pass\nopen('output/a.json', 'w').write('{{}}')\n"
        );
        let more = json!({
            "tool_needs": ["operator.artifact.evaluate"], "max_retries": 0,
            "budget": { "wall_seconds": 30, "governed_calls": 9, "model_tokens": 1000 },
        });
        plan(vec![python("a", &source, more)])
    };
    let world = World::new();
    let blocked = world.run(&run_with("{'sources': {'a': 1}}", "['no invented facts']", "block"));
    assert_eq!(blocked.failure("a").code, "D2048");
    let reported = world.run(&run_with("{'sources': {'a': 1}}", "['no invented facts']", "report"));
    assert_eq!(reported.outcome(), Some(deed_model::RunOutcome::Succeeded));
    for enforcement in ["block", "maybe"] {
        let senseless = world.run(&run_with("{'nonsense': 1}", "['no invented facts']", enforcement));
        assert_eq!(senseless.failure("a").code, "D2054", "{enforcement}");
    }
    let senseless = world.run(&run_with("{'nonsense': 1}", "['no invented facts']", "report"));
    assert_eq!(senseless.outcome(), Some(deed_model::RunOutcome::Succeeded));
    let state = senseless.state();
    let remarks = &state.step("a").unwrap().remarks;
    assert!(remarks.iter().any(|remark| remark.contains("nothing was judged")), "{remarks:?}");
}

/// A step that writes an output, has it judged and goes on.
fn binding(enforcement: &str, after: &str) -> Value {
    let source = format!(
        "
import deed, json, os
def write(n): json.dump({{'n': n}}, open('output/a.json', 'w'))
def judge(criterion='one', item='i', path='output/a.json', rule={{'<': [{{'var': 'derived.r.n'}}, 5]}}, text=None, role='r'):
    bundle = {{'item_id': item, 'derived_evidence': [{{'path': path, 'role': 'r'}}],
              'rubric': {{'criteria': [{{'id': criterion, 'rule': rule}}]}}}}
    bundle['derived_evidence'][0]['role'] = role
    if text: bundle['rubric']['criteria'][0]['text'] = text
    return deed.call('operator.artifact.evaluate', {{'bundle': bundle, 'enforcement': '{enforcement}'}})
write(1)
judge()
{after}
"
    );
    let more = with(more(), json!({ "max_retries": 0 }));
    plan(vec![python("a", &source, more)])
}

/// A verdict holds for an output only if it is still what was judged.
#[test]
fn an_output_that_changed_after_it_was_judged_fails_the_step() {
    let world = World::new();
    for after in [
        "write(2)",
        "write(2); judge('another')",
        "write(2); judge(item='j')",
        // The same name with another rule, another text or another role is another question.
        "write(9); judge(rule=True)",
        "write(2); judge(text='anything goes')",
        "write(2); judge(role='s', rule={'<': [{'var': 'derived.s.n'}, 5]})",
    ] {
        let run = world.run(&binding("block", after));
        let failure = run.failure("a");
        assert_eq!((failure.code.as_str(), failure.class), ("D2049", FailureClass::SemanticVerdict), "{after}");
        assert!(failure.message.contains("`output/a.json`") && failure.message.contains("changed"), "{failure:?}");
    }
    for after in ["", "write(1)", "write(2); judge()", "write(2); write(1)", "write(2); judge(); write(1)"] {
        let run = world.run(&binding("block", after));
        run.succeeded().verified();
        let checks = run.receipt("a").checks;
        let judged = checks.iter().find(|check| check.check.as_str() == "judged").unwrap();
        assert!(judged.holds && judged.blocks, "{after}: {judged:?}");
    }
    let run = world.run(&binding("report", "write(2)"));
    run.succeeded().verified();
    let remarks = run.state().step("a").unwrap().remarks.clone();
    assert!(remarks.iter().any(|remark| remark.contains("changed after it was judged")), "{remarks:?}");
    // Scratch is not delivered, and may change.
    let scratch =
        "json.dump({'n': 1}, open('work/s.json', 'w')); judge('s', 's', 'work/s.json'); os.remove('work/s.json')";
    world.run(&binding("block", scratch)).succeeded().verified();
}

#[test]
fn a_file_of_a_set_that_was_removed_after_it_was_judged_fails_the_step() {
    let world = World::new();
    let after = "
os.mkdir('output/p')
for n in [1, 2]: json.dump({'n': n}, open(f'output/p/{n}.json', 'w'))
judge('p', 'p', 'output/p/1.json')
os.remove('output/p/1.json')
";
    let mut plan = binding("block", after);
    let outputs = plan["steps"][0]["expected_outputs"].as_array_mut().unwrap();
    outputs.push(json!({ "path": "output/p/*.json" }));
    plan["steps"][0]["artifact_contracts"]["output/p/*.json"] = json!({ "format": "json", "kind_key": "object.json" });
    let failure = world.run(&plan).failure("a");
    assert_eq!(failure.code, "D2049", "{failure:?}");
    assert!(failure.message.contains("`output/p/1.json`") && failure.message.contains("removed"), "{failure:?}");
}

/// No verdict is not a yes, unless the same item is judged later.
#[test]
fn a_blocking_evaluation_that_was_not_made_fails_the_step_unless_its_item_is_judged_later() {
    let world = World::new();
    let with_end = |end: &str| {
        let source = format!(
            "
import deed, json, os
def judge(item, path, enforcement='block'):
    bundle = {{'item_id': item, 'derived_evidence': [{{'path': path, 'role': 'r'}}],
              'rubric': {{'criteria': [{{'id': 'c', 'rule': {{'<': [{{'var': 'derived.r.n'}}, 5]}}}}]}}}}
    if item is None: del bundle['item_id']
    try: return deed.call('operator.artifact.evaluate', {{'bundle': bundle, 'enforcement': enforcement}})
    except deed.CallFailed as no: return no.kind
def fix(n=1): json.dump({{'n': n}}, open('work/e.json', 'w'))
open('work/e.json', 'w').write('not json')
open('output/a.json', 'w').write('{{}}')
{end}
"
        );
        world.run(&plan(vec![python("a", &source, with(more(), json!({ "max_retries": 0 })))]))
    };
    for escape in [
        "judge('i', 'work/e.json')",
        "judge('i', 'work/none.json')",
        "judge('i', 'work/e.json'); fix(); judge('j', 'work/e.json')",
        "judge('i', 'work/e.json'); fix(); judge('i', 'work/e.json', 'report')",
        "fix(); judge('i', 'work/e.json'); open('work/e.json', 'w').write('not json'); judge('i', 'work/e.json')",
        "judge(None, 'work/e.json'); fix(); os.rename('work/e.json', 'work/f.json'); judge(None, 'work/f.json')",
    ] {
        let failure = with_end(escape).failure("a");
        assert_eq!(failure.code, "D2054", "{escape}: {failure:?}");
        assert!(failure.message.starts_with("nothing was judged: "), "{escape}: {failure:?}");
    }
    for judged in [
        "judge('i', 'work/e.json'); fix(); judge('i', 'work/e.json')",
        "judge(None, 'work/e.json'); fix(); judge(None, 'work/e.json')",
        "judge('i', 'work/e.json', 'report')",
    ] {
        with_end(judged).succeeded().verified();
    }
    // A later no is a no.
    let no = with_end("judge('i', 'work/e.json'); fix(9); judge('i', 'work/e.json')").failure("a");
    assert_eq!(no.code, "D2055", "{no:?}");
}

/// Neither a missing capability nor a spent budget lets a step pass that asked to be judged.
#[test]
fn a_blocking_evaluation_that_was_refused_fails_the_step() {
    let world = World::new();
    let source = "
import deed
open('output/a.json', 'w').write('{}')
bundle = {'sources': {'n': 1}, 'rubric': [{'id': 'c', 'rule': True}]}
try: deed.call('operator.artifact.evaluate', {'bundle': bundle})
except deed.CallFailed: pass
";
    let budget = json!({ "wall_seconds": 30, "governed_calls": 0 });
    for (more, code) in [
        (json!({ "budget": { "wall_seconds": 30 } }), "D2050"),
        (json!({ "tool_needs": ["operator.artifact.evaluate"], "budget": budget }), "D2052"),
    ] {
        let run = world.run(&plan(vec![python("a", source, with(more, json!({ "max_retries": 0 })))]));
        assert_eq!(run.failure("a").code, code);
    }
}

/// A text beside criteria is a general instruction, in the rubric itself as well as beside it.
#[test]
fn a_rubric_has_criteria_and_a_text() {
    let world = World::new();
    let run_with = |rubric: &str| {
        let source = format!(
            "
import deed, json
bundle = {{'sources': {{'n': 1}}, 'rubric': {rubric}}}
try: said = deed.call('operator.artifact.evaluate', {{'bundle': bundle, 'enforcement': 'report'}})
except deed.CallFailed as no: said = {{'error': str(no)}}
json.dump(said, open('output/a.json', 'w'))
"
        );
        let run = world.run(&plan(vec![python("a", &source, more())]));
        run.succeeded();
        run.json("output/a.json")
    };
    let said = run_with("{'text': 'Be strict.', 'criteria': [{'id': 'c', 'rule': True}]}");
    assert_eq!(said["verdict"], "pass", "{said}");
    let said = run_with("{'text': 'Be strict.'}");
    assert!(said["error"].as_str().unwrap().contains("`Be strict.` has no `rule`"), "{said}");
    for wrong in ["{'text': 7, 'criteria': [{'id': 'c', 'rule': True}]}", "{'criteria': 7}", "{'wording': 'x'}", "{}"] {
        assert!(run_with(wrong)["error"].is_string(), "{wrong}");
    }
}

/// What was judged is derived again from the journal: a receipt without the check, or a proof of other bytes, is found.
#[test]
fn judged_outputs_are_derived_again() {
    let world = World::new();
    let run = world.run(&binding("block", ""));
    run.succeeded().verified();
    let verified = |edit: &dyn Fn(&mut RunEvent)| {
        let (mut entries, _) = run.engine.load(&run.id).unwrap();
        entries.iter_mut().for_each(|entry| edit(&mut entry.record.event));
        let public = crate::common::key().public();
        let blobs: &dyn BlobRead = &*world.store();
        deed_runtime::reverify(&entries, &run.plan, blobs, &|id| (*id == public.id()).then(|| public.clone()))
    };
    let found = verified(&|event| {
        if let RunEvent::CallEnded { answer } = event {
            answer.proof["evidence"][0]["sha256"] = json!(ContentHash::of_bytes(b"other"));
        }
    });
    let broken: Vec<_> = found.checked.iter().filter(|one| !one.holds).collect();
    assert!(broken.iter().any(|one| one.found.as_deref().unwrap().contains("`judged`")), "{broken:?}");
}
