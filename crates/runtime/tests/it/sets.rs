//! Outputs of unknown number: each file has its receipt, the set one hash, and steps after it read them all.

use crate::common::run::Asking;
use crate::common::{World, plan, python, step, with};
use deed_model::{ForkedFrom, RunOptions};
use deed_ports::BlobRead;
use serde_json::{Value, json};
use std::io::Read;

const SET: &str = "output/pages/*.html";

fn pages(more: Value) -> Value {
    let expected = with(json!({ "path": SET, "role": "primary" }), more);
    json!({
        "expected_outputs": [expected],
        "artifact_contracts": { SET: { "format": "html", "kind_key": "web.page.html" } },
    })
}

/// Writes so many pages.
fn writes(count: u32) -> String {
    format!(
        "import os\nos.makedirs('output/pages', exist_ok=True)\nfor n in range({count}):\n    open(f'output/pages/p{{n:03}}.html', 'w').write(f'<!doctype html><html><head><title>Page</title></head><body><p>Page {{n}} of the book.</p></body></html>')\n"
    )
}

fn fails(source: &str, more: Value, code: &str, says: &str) {
    let world = World::new();
    let run = world.run(&plan(vec![python("a", source, more)]));
    let failure = run.failure("a");
    assert_eq!(failure.code, code, "{failure:?}");
    assert!(failure.message.contains(says), "{failure:?}");
    assert!(run.made().is_empty(), "nothing is kept: {:?}", run.made());
    run.verified();
}

#[test]
fn every_file_of_a_set_has_a_receipt_and_the_set_has_one_hash() {
    let world = World::new();
    let more = with(pages(json!({})), json!({ "success_criteria": [format!("{SET} exists and is valid html")] }));
    let run = world.run(&plan(vec![python("a", &writes(30), more)]));
    run.succeeded().verified();
    let receipt = run.receipt("a");
    assert_eq!(receipt.outputs.len(), 30);
    assert_eq!(receipt.outputs[7].path, "output/pages/p007.html");
    assert_eq!((receipt.sets[0].path.as_str(), receipt.sets[0].files), (SET, 30));
    let mut manifest = String::new();
    world.store().open(&receipt.sets[0].manifest).unwrap().read_to_string(&mut manifest).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["set"], SET);
    assert_eq!(manifest["files"][29]["path"], "output/pages/p029.html");
    assert_eq!(manifest["files"][29]["sha256"], json!(receipt.outputs[29].found.sha256));
    assert_eq!(run.state().sets().count(), 1);
    // Every file is checked for itself, and the number of files as well.
    let checked = receipt.checks.iter().filter(|check| check.check == "parses").count();
    assert_eq!((checked, receipt.checks[0].check.as_str()), (30, "files"));
}

#[test]
fn a_set_has_no_fewer_and_no_more_files_than_it_may() {
    fails("pass", pages(json!({})), "D2046", "has 0 files, and `at_least` is 1");
    fails(&writes(2), pages(json!({ "at_least": 3 })), "D2046", "has 2 files, and `at_least` is 3");
    fails(&writes(4), pages(json!({ "at_most": 3 })), "D2046", "has 4 files, and `at_most` is 3");
    fails(&writes(1001), pages(json!({})), "D2046", "has 1001 files, and `at_most` is 1000");
    let world = World::new();
    let run = world.run(&plan(vec![python("a", "pass", pages(json!({ "at_least": 0 })))]));
    run.succeeded().verified();
    assert_eq!((run.receipt("a").sets[0].files, run.made().len()), (0, 0));
}

#[test]
fn every_file_is_held_to_the_contract_of_the_set() {
    let bad = format!("{}open('output/pages/p003.html', 'w').write('')\n", writes(6));
    fails(&bad, pages(json!({})), "D2041", "`output/pages/p003.html` is not what the contract asks for (exists)");
    let unfinished = format!(
        "{}open('output/pages/z.html', 'w').write('<html><body><p>Lorem ipsum dolor sit amet</p></body></html>')\n",
        writes(2)
    );
    fails(&unfinished, pages(json!({})), "D2042", "`output/pages/z.html` is not finished");
    let criteria = with(pages(json!({})), json!({ "success_criteria": [format!("{SET} is not empty")] }));
    fails(&bad, criteria, "D2041", "p003");
}

#[test]
fn names_are_those_that_a_contract_could_have() {
    let other = format!("{}open('output/pages/notes.txt', 'w').write('x')\n", writes(1));
    fails(&other, pages(json!({})), "D2043", "`output/pages/notes.txt` was written");
    let deeper = format!("{}os.mkdir('output/pages/sub.html')\n", writes(1));
    fails(&deeper, pages(json!({})), "D2044", "`output/pages/sub.html` is not a file");
    for name in ["a:b.html", "a\\u202eb.html", " a.html", "re\\u0301.html", "con.html"] {
        let odd = format!("{}open('output/pages/{name}', 'w').write('<html></html>')\n", writes(1));
        fails(&odd, pages(json!({})), "D2047", "cannot be the name of an output");
    }
    let twice = format!("{}open('output/pages/P000.html', 'w').write('<html></html>')\n", writes(1));
    fails(&twice, pages(json!({})), "D2047", "are one name on some systems");
}

const COUNTS: &str = "
import deed, glob, json, os
listed = deed.files('output/pages/*.html')
assert listed == sorted(glob.glob('output/pages/*.html')), listed
assert all('Page' in open(path).read() for path in listed)
try:
    open(listed[0], 'w') if listed else None
    raise SystemExit('it was let')
except OSError: pass
json.dump({'pages': len(listed)}, open('output/b.json', 'w'))
";

fn reads() -> Value {
    json!({ "input_file_paths": [SET], "depends_on": ["a"] })
}

#[test]
fn a_step_after_it_reads_the_whole_set_as_a_folder() {
    let world = World::new();
    let steps = || vec![python("a", &writes(25), pages(json!({}))), python("b", COUNTS, reads())];
    let run = world.run(&plan(steps()));
    run.succeeded().verified();
    assert_eq!(run.json("output/b.json"), json!({ "pages": 25 }));
    let receipt = run.receipt("b");
    assert_eq!(receipt.inputs.len(), 25);
    // One that writes into the same folder sees the files one by one, and still cannot change them.
    let beside = json!({
        "expected_outputs": [{ "path": "output/pages/index.json" }],
        "artifact_contracts": { "output/pages/index.json": { "format": "json", "kind_key": "object.json" } },
    });
    let source = COUNTS.replace("output/b.json", "output/pages/index.json");
    let run =
        world.run(&plan(vec![python("a", &writes(5), pages(json!({}))), python("b", &source, with(reads(), beside))]));
    run.succeeded().verified();
    assert_eq!(run.json("output/pages/index.json"), json!({ "pages": 5 }));
    // Node.js has the same list.
    let node = "import { files } from './deed.mjs';\nimport fs from 'node:fs';\nfs.writeFileSync('output/b.json', JSON.stringify({ pages: files('output/pages/*.html').length }));\n";
    let node = step("b", "javascript", node, with(reads(), json!({ "tool_needs": ["sandbox.session"] })));
    let run = world.run(&plan(vec![python("a", &writes(3), pages(json!({}))), node]));
    run.succeeded().verified();
    assert_eq!(run.json("output/b.json"), json!({ "pages": 3 }));
}

#[test]
fn an_isolate_reads_a_set_by_its_names() {
    let world = World::new();
    let source = "export default (inputs) => ({ 'output/b.json': { pages: Object.keys(inputs).length } })";
    let b = step("b", "javascript", source, reads());
    let run = world.run(&plan(vec![python("a", &writes(4), pages(json!({}))), b]));
    run.succeeded().verified();
    assert_eq!(run.json("output/b.json"), json!({ "pages": 4 }));
}

#[test]
fn a_set_without_files_is_read_as_none() {
    let world = World::new();
    let b = python(
        "b",
        "import deed\nopen('output/b.json', 'w').write('{\"n\": %d}' % len(deed.files('output/pages/*.html')))\n",
        reads(),
    );
    let run = world.run(&plan(vec![python("a", "pass", pages(json!({ "at_least": 0 }))), b]));
    run.succeeded().verified();
    assert_eq!(run.json("output/b.json"), json!({ "n": 0 }));
}

#[test]
fn a_set_is_taken_over_with_its_manifest() {
    let world = World::new();
    let steps = vec![python("a", &writes(8), pages(json!({}))), python("b", COUNTS, reads())];
    let first = world.run(&plan(steps.clone()));
    first.succeeded();
    let reuse =
        Asking { options: RunOptions { reuse: true, ..RunOptions::default() }, id: Some("two"), ..Asking::default() };
    let second = world.submit_as(&plan(steps.clone()), reuse);
    second.drive();
    second.succeeded().verified();
    assert_eq!(second.receipt("b").execution.ended, "not executed");
    assert_eq!(second.receipt("a").sets, first.receipt("a").sets);
    let forked = Some(ForkedFrom { run_id: first.id.clone(), step: "b".to_owned(), first: None });
    let third = world.submit_as(&plan(steps), Asking { forked, id: Some("three"), ..Asking::default() });
    third.drive();
    third.succeeded().verified();
    assert_eq!(third.receipt("a").execution.ended, "not executed");
    assert_eq!(third.made(), first.made());
}

#[test]
fn the_bridge_writes_files_of_a_set() {
    let world = World::new();
    let source = "import deed\nfor n in range(3): deed.call('artifact.put', {'path': f'output/pages/p{n}.html', 'text': '<html><body>Page</body></html>'})\ntry:\n    deed.call('artifact.put', {'path': 'output/pages/*.html', 'text': 'x'})\n    raise SystemExit('it was let')\nexcept deed.CallFailed as no: assert no.kind == 'not_allowed'\n";
    let more = with(
        pages(json!({})),
        json!({ "tool_needs": ["operator.artifact.write"], "budget": { "wall_seconds": 30, "governed_calls": 9 } }),
    );
    let run = world.run(&plan(vec![python("a", source, more)]));
    run.succeeded().verified();
    assert_eq!(run.made().len(), 3);
}
