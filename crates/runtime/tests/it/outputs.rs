//! Outputs of a step: everything is found, inspected and checked; nothing the step reports about itself is trusted.

use crate::common::{Run, World, plan, python, with};
use deed_model::{ContentSummary, Extreme, FailureClass, RunEvent, RunOutcome};
use serde_json::{Value, json};

/// Runs one step of Python, which fails.
#[track_caller]
fn fails(source: &str, more: Value, code: &str, class: FailureClass, said: &str) {
    let world = World::new();
    let run = world.run(&plan(vec![python("a", source, more)]));
    failed(&run, code, class, said);
}

#[track_caller]
fn failed(run: &Run<'_>, code: &str, class: FailureClass, said: &str) {
    let failure = run.failure("a");
    assert_eq!((failure.code.as_str(), failure.class), (code, class), "{failure:?}");
    assert!(failure.message.contains(said), "{failure:?}");
    assert_eq!(run.outcome(), Some(RunOutcome::Failed));
    assert!(run.made().is_empty(), "nothing is kept: {:?}", run.made());
    assert_eq!(run.world.staged(), Vec::<std::path::PathBuf>::new());
    run.verified();
}

/// Rows of a table with its columns.
fn rows(fields: &[&str]) -> Value {
    json!({
        "expected_outputs": [{ "path": "output/a.rows.json" }],
        "artifact_contracts": { "output/a.rows.json": {
            "format": "json", "kind_key": "table.json_rows", "required_top_level_type": "array",
            "required_fields": fields,
        }},
    })
}

/// Rows of an entity that says what one row is and where it came from.
fn discrepancies() -> Value {
    json!({
        "domain_pack_ids": ["billing-audit"],
        "abstract_outputs": [{
            "slot": "findings", "entity_schema_id": "billing.rate_card",
            "preferred_kind_keys": ["table.json_rows"], "provenance_fields": ["source_id"],
        }],
        "expected_outputs": [{ "path": "output/a.rows.json", "slot": "findings" }],
        "artifact_contracts": {},
        "extra_policy_profile_ids": ["provenance.required.v1"],
    })
}

const WRITE_ROWS: &str = "import json\njson.dump(ROWS, open('output/a.rows.json', 'w'))\n";

fn writes(rows: &Value) -> String {
    WRITE_ROWS.replace("ROWS", &format!("json.loads({:?})", rows.to_string()))
}

fn rate(id: &str) -> Value {
    json!({
        "rate_id": id, "rate_card_id": "c1", "role": "lead", "unit": "hour", "rate": 100, "currency": "EUR",
        "effective_from": "2026-01-01", "source_id": "card",
    })
}

const SHAPE: FailureClass = FailureClass::OutputShape;
const POLICY: FailureClass = FailureClass::PolicyViolation;

#[test]
fn what_is_not_written_or_empty_or_unreadable_fails() {
    fails("pass", json!({}), "D2040", SHAPE, "`output/a.json` was not written");
    fails("open('output/a.json', 'w')", json!({}), "D2041", SHAPE, "output/a.json");
    fails("open('output/a.json', 'w').write('{')", json!({}), "D2041", SHAPE, "parses");
    fails("open('output/a.json', 'wb').write(b'\\xff\\xfe\\x00')", json!({}), "D2041", SHAPE, "parses");
    fails("open('output/a.json', 'w').write('{\"a\": 1, \"a\": 2}')", json!({}), "D2041", SHAPE, "parses");
}

#[test]
fn rows_have_their_columns() {
    fails(&writes(&json!([{ "x": 1 }])), rows(&["x", "y"]), "D2041", SHAPE, "fields");
    fails(&writes(&json!([{ "x": 1, "y": 1 }, { "x": 1 }])), rows(&["x", "y"]), "D2041", SHAPE, "row 2 has no `y`");
    fails(&writes(&json!({ "x": 1 })), rows(&["x"]), "D2041", SHAPE, "not a list");
    fails("open('output/a.rows.json', 'w').write('7')", rows(&["x"]), "D2041", SHAPE, "not a list");
}

/// A document of a kind whose outermost value is asked for.
fn document(outermost: &str) -> Value {
    json!({ "artifact_contracts": { "output/a.json": {
        "format": "json", "kind_key": "object.json", "required_top_level_type": outermost,
    }}})
}

#[test]
fn a_document_has_outermost_what_is_asked_for() {
    let writes = |text: &str| format!("open('output/a.json', 'w').write('{text}')");
    for text in ["[]", "[1]", "[{\"x\": 1}]", "7", "null", "\"{}\""] {
        fails(&writes(text), document("object"), "D2041", SHAPE, "its outermost value is not an object");
    }
    for text in ["{}", "7", "{\"x\": []}"] {
        fails(&writes(text), document("array"), "D2041", SHAPE, "its outermost value is not a list");
    }
    for (text, outermost) in [("{}", "object"), ("{\"x\": [1]}", "object"), ("[]", "array"), ("[{\"x\": 1}]", "array")]
    {
        let world = World::new();
        let run = world.run(&plan(vec![python("a", &writes(text), document(outermost))]));
        run.succeeded().verified();
    }
}

#[test]
fn rows_fit_their_entity_tell_apart_and_say_their_source() {
    let world = World::new();
    let run = world.run(&plan(vec![python("a", &writes(&json!([rate("r1"), rate("r2")])), discrepancies())]));
    run.succeeded().verified();

    let mut wrong = rate("r1");
    wrong["rate"] = json!("a lot");
    fails(&writes(&json!([rate("r0"), wrong])), discrepancies(), "D2041", SHAPE, "entity_schema): row 2: /rate");
    fails(&writes(&json!([rate("r1"), rate("r1")])), discrepancies(), "D2041", SHAPE, "unique_grain");
    let mut unsaid = rate("r1");
    unsaid["source_id"] = json!(" ");
    fails(&writes(&json!([unsaid])), discrepancies(), "D2041", SHAPE, "source_id");
}

#[test]
fn placeholders_and_criteria_fail() {
    let source = "open('output/a.json', 'w').write('{\"title\": \"TODO: write this\", \"body\": \"Lorem ipsum dolor sit amet\"}')";
    fails(source, json!({}), "D2042", SHAPE, "is not finished");
    let rows = |sentence: &str| {
        let mut more = rows(&["x"]);
        more["success_criteria"] = json!([sentence]);
        more
    };
    let two = writes(&json!([{ "x": 1 }, { "x": 2 }]));
    fails(
        &two,
        rows("output/a.rows.json has at least 3 rows"),
        "D2045",
        SHAPE,
        "it has 2 rows, and must have at least 3",
    );
    fails(&two, rows("output/a.rows.json has at most 1 row"), "D2045", SHAPE, "it has 2 rows, and must have at most 1");
    let none = writes(&json!([]));
    fails(&none, rows("output/a.rows.json has at least 1 row"), "D2045", SHAPE, "it has 0 rows");
}

#[test]
fn a_possible_placeholder_is_a_remark_on_the_success() {
    let world = World::new();
    let source = "open('output/a.json', 'w').write('{\"task_status\": \"TODO\"}')";
    let run = world.run(&plan(vec![python("a", source, json!({}))]));
    run.succeeded().verified();
    let remarks = run.state().step("a").unwrap().remarks.clone();
    assert!(matches!(remarks.as_slice(), [one] if one.contains("may be a placeholder")), "{remarks:?}");
}

#[test]
fn an_undeclared_write_fails_and_nothing_is_kept() {
    let good = "open('output/a.json', 'w').write('{}')\n";
    for (what, told) in [
        ("open('output/other.json', 'w').write('{}')", "`output/other.json` was written"),
        ("import os; os.makedirs('output/deep/er'); open('output/deep/er/x', 'w')", "`output/deep/er/x` was written"),
        ("open(b'output/\\xff\\xfe\\n\\x1b[2J', 'w')", "\\n\\u{1b}[2J"),
    ] {
        fails(&format!("{good}{what}\n"), json!({}), "D2043", POLICY, told);
    }
    // What only the step needs can lie in /tmp, and an empty folder is no file.
    let world = World::new();
    let source = format!("{good}open('/tmp/x', 'w').write('x'); import os; os.mkdir('output/empty')\n");
    world.run(&plan(vec![python("a", &source, json!({}))])).succeeded();
}

#[test]
fn work_is_scratch_and_nothing_of_it_is_kept_unless_it_is_declared() {
    let world = World::new();
    let source = "
import os, socket
open('output/a.json', 'w').write('{}')
os.makedirs('work/deep/er')
open('work/deep/er/x', 'w').write('scratch')
open('work/kept.txt', 'w').write('kept')
for made in [lambda: os.symlink('/etc/passwd', 'work/link'), lambda: os.symlink('/etc', 'work/folder'), lambda: os.mkfifo('work/pipe')]:
    try: made()
    except OSError: pass
os.mkdir('work/closed')
open('work/closed/x', 'w').write('x')
os.chmod('work/closed', 0)
";
    let more = json!({
        "expected_outputs": [{ "path": "output/a.json" }, { "path": "work/kept.txt", "role": "intermediate" }],
        "artifact_contracts": {
            "output/a.json": { "format": "json", "kind_key": "object.json" },
            "work/kept.txt": { "format": "txt", "kind_key": "file.text" },
        },
    });
    let run = world.run(&plan(vec![python("a", source, more)]));
    run.succeeded().verified();
    assert_eq!(run.made().into_keys().collect::<Vec<_>>(), ["output/a.json", "work/kept.txt"]);
}

#[test]
fn a_declared_path_in_work_leads_through_no_link() {
    let more = |path: &str| {
        json!({
            "expected_outputs": [{ "path": path }],
            "artifact_contracts": { path: { "format": "txt", "kind_key": "file.text" } },
        })
    };
    // What a link leads to outside could be any file of this machine. Where the sandbox lets code make links at all, they
    // are found; nothing is kept either way.
    let inside = "os.mkdir('work/real'); open('work/real/x', 'w').write('x'); os.symlink('real', 'work/l')";
    for (case, path) in [
        ("os.symlink('/etc', 'work/etc')", "work/etc/passwd"),
        ("os.symlink('/etc/passwd', 'work/x')", "work/x"),
        (inside, "work/l/x"),
    ] {
        let world = World::new();
        let source = format!("import os\ntry:\n    {case}\nexcept OSError: pass\n");
        let run = world.run(&plan(vec![python("a", &source, more(path))]));
        let failure = run.failure("a");
        assert!(["D2044", "D2040"].contains(&failure.code.as_str()), "{case}: {failure:?}");
        assert!(run.made().is_empty());
    }
    // A quota holds for scratch as for outputs.
    let limits = json!({ "sandbox": { "minimum": "L2", "limits": { "output_bytes": 1_000_000 } } });
    let flood = "open('work/x', 'wb').write(b'x' * 5_000_000)\nopen('output/a.json', 'w').write('{}')";
    fails(flood, limits, "D2034", FailureClass::BudgetExhaustion, "1000000 bytes");
}

#[test]
fn an_output_is_a_plain_file() {
    // Where the sandbox lets code make such things at all, they are found and refused; nothing is kept either way.
    let cases = [
        "os.symlink('/etc/passwd', 'output/a.json')",
        "os.symlink('/workspace/meta/contract.json', 'output/a.json')",
        "os.link('/workspace/meta/contract.json', 'output/a.json')",
        "os.mkfifo('output/a.json')",
        "os.mknod('output/a.json', 0o20666, os.makedev(1, 5))",
        "socket.socket(socket.AF_UNIX).bind('output/a.json')",
    ];
    for case in cases {
        let world = World::new();
        let source = format!("import os, socket\ntry: {case}\nexcept OSError: pass\n");
        let run = world.run(&plan(vec![python("a", &source, json!({}))]));
        let failure = run.failure("a");
        match failure.code.as_str() {
            "D2044" => assert!(failure.message.contains("`output/a.json` is not a file"), "{failure:?}"),
            code => assert_eq!(code, "D2040", "{case}: {failure:?}"),
        }
        assert!(run.made().is_empty());
        run.verified();
    }
    fails("import os; os.mkdir('output/a.json')", json!({}), "D2044", POLICY, "`output/a.json` is not a file");
}

#[test]
fn rights_that_code_took_away_do_not_hide_what_it_wrote() {
    let world = World::new();
    let source =
        "import os\nopen('output/a.json', 'w').write('{}')\nos.chmod('output/a.json', 0)\nos.chmod('output', 0)\n";
    world.run(&plan(vec![python("a", source, json!({}))])).succeeded();
    let hidden = "import os\nopen('output/a.json', 'w').write('{}')\nos.mkdir('output/h')\nopen('output/h/x', 'w')\nos.chmod('output/h', 0)\n";
    fails(hidden, json!({}), "D2043", POLICY, "output/h/x");
}

#[test]
fn folders_nested_deeply_hide_nothing_and_are_removed() {
    let nested = |depth: u32| {
        format!(
            "
import os
open('output/a.json', 'w').write('{{}}')
os.chdir('output')
for _ in range({depth}):
    os.mkdir('d')
    os.chdir('d')
open('hidden', 'w').write('x')
"
        )
    };
    let world = World::new();
    let run = world.run(&plan(vec![python("a", &nested(1900), json!({}))]));
    failed(&run, "D2043", POLICY, "output/d/d/");
    assert!(run.failure("a").message.len() < 500, "a long path is shortened");
    // Deeper than a path can say, there could be anything.
    fails(&nested(3000), json!({}), "D2034", FailureClass::BudgetExhaustion, "too deep to be looked into");
}

#[test]
fn a_large_output_is_kept_whole() {
    let world = World::new();
    let source = "
import hashlib, json
block = bytes(range(256)) * 4096
with open('output/a.bin', 'wb') as out:
    for _ in range(64):
        out.write(block)
";
    let more = json!({
        "expected_outputs": [{ "path": "output/a.bin" }],
        "artifact_contracts": { "output/a.bin": { "format": "other", "kind_key": "file.binary" } },
    });
    let run = world.run(&plan(vec![python("a", source, more)]));
    run.succeeded().verified();
    assert_eq!(run.output("output/a.bin").len(), 64 << 20);
}

#[test]
fn the_end_of_code_is_reported() {
    let printed = "import sys; print('first'); print('it is wrong', file=sys.stderr); sys.exit(3)";
    fails(printed, json!({}), "D2030", SHAPE, "exit code 3");
    fails("import os; os.abort()", json!({}), "D2031", FailureClass::SandboxRuntime, "signal 6");
    fails(
        "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)",
        json!({}),
        "D2031",
        FailureClass::SandboxRuntime,
        "signal 11",
    );
    let world = World::new();
    let run = world.run(&plan(vec![python("a", printed, json!({}))]));
    let failure = run.failure("a");
    assert_eq!(failure.printed.as_deref(), Some("it is wrong"));
    assert!(failure.help.unwrap().contains("fix the code"));
    assert_eq!(run.receipt("a").execution.printed["stdout"]["text"], "first\n");
    // What was killed did not end by itself: its code may be right.
    let killed = world.run(&plan(vec![python("a", "import os; os.abort()", json!({ "max_retries": 0 }))])).failure("a");
    assert!(killed.help.as_deref().is_some_and(|help| !help.contains("fix the code")), "{killed:?}");
}

/// A secret in pieces, so that no scanner of this repository finds it here.
fn secret() -> String {
    ["ghp", "_", "Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9St0Uv1Wx2"].concat()
}

#[test]
fn secrets_that_code_prints_are_written_down_nowhere() {
    let secret = secret();
    let source = format!(
        "import sys, deed\nprint('{secret}')\nprint('token={secret}', file=sys.stderr)\ndeed.progress(1, 2, 'with {secret}')\nsys.exit(1)\n"
    );
    let world = World::new();
    let run = world.submit(&plan(vec![python("a", &source, json!({}))]));
    let watch = crate::common::Watch::new();
    run.drive_watched(watch.clone());
    let failure = run.failure("a");
    assert_eq!(failure.code, "D2030");
    assert!(failure.printed.as_deref().unwrap().contains("token=[secret]"), "{failure:?}");
    assert!(!run.journal().contains(&secret), "in the journal");
    assert!(!format!("{:?}", watch.seen()).contains(&secret), "an observer heard it");
    let progress = |event: &RunEvent| matches!(event, RunEvent::Progress { .. });
    assert_eq!(run.count(progress), 1);
}

#[test]
fn a_receipt_says_what_went_in_by_what_contract_and_by_what_code() {
    let world = World::new();
    world.give("given.txt", "seven\n");
    let first = python(
        "a",
        "import json\njson.dump({'text': open('input/given.txt').read()}, open('output/a.json', 'w'))\n",
        json!({ "input_file_paths": ["input/given.txt"] }),
    );
    let second = python(
        "b",
        "import json\njson.dump(json.load(open('output/a.json')), open('output/b.json', 'w'))\n",
        json!({ "input_file_paths": ["output/a.json"], "depends_on": ["a"] }),
    );
    let given = json!([{ "slot": "raw_files", "path": "input/given.txt", "entity_schema_id": "generic.file" }]);
    let run = world.run(&crate::common::with(plan(vec![first, second]), json!({ "inputs": given })));
    run.succeeded().verified();
    let receipt = run.receipt("b");
    let made = run.made();
    let inputs: Vec<(String, String)> =
        receipt.inputs.iter().map(|input| (input.path.clone(), input.sha256.to_string())).collect();
    assert_eq!(inputs, [("output/a.json".to_owned(), made["output/a.json"].clone())]);
    let contract = run.plan.steps.iter().find(|step| step.step_id == "b").unwrap();
    assert_eq!(receipt.of.contract_hash, contract.spec_hash);
    assert_eq!(receipt.of.code_hash, contract.execution_contract.code_hash);
    assert!(receipt.of.code_hash.is_some());
    assert_eq!(receipt.of.plan_hash, run.plan.plan_hash);
    assert_eq!(receipt.outputs[0].found.sha256.to_string(), made["output/b.json"]);
    assert_eq!(run.receipt("a").inputs[0].path, "input/given.txt");
    assert!(receipt.execution.sandbox.is_some() && receipt.execution.program.is_some());
}

#[test]
fn what_only_says_that_it_is_an_archive_a_document_or_rows_is_not_kept() {
    let of = |path: &str, format: &str, kind: &str| {
        json!({
            "expected_outputs": [{ "path": path }],
            "artifact_contracts": { path: { "format": format, "kind_key": kind } },
        })
    };
    let write = |path: &str, text: &str| format!("open('{path}', 'w').write('{text}')");
    for (path, format, kind, text, said) in [
        ("output/a.pdf", "pdf", "report.pdf", "hello, this is no PDF", "this is text, where `pdf` is expected"),
        ("output/a.zip", "other", "file.archive.zip", "hello, this is no archive", "it is text, and not a zip archive"),
        ("output/a.rows.json", "json", "table.json_rows", "[1, 2]", "its rows are not objects"),
        ("output/a.rows.json", "json", "table.json_rows", "[{\"a\": 1}, 2]", "its rows are not objects"),
        ("output/a.rows.json", "json", "table.json_rows", "[[{}]]", "its rows are not objects"),
    ] {
        fails(&write(path, text), of(path, format, kind), "D2041", SHAPE, said);
    }
    let world = World::new();
    let zip = "import zipfile\nwith zipfile.ZipFile('output/a.zip', 'w') as z: z.writestr('a', 'x')";
    world.run(&plan(vec![python("a", zip, of("output/a.zip", "other", "file.archive.zip"))])).succeeded();
    for rows in ["[]", "[{\"a\": 1}]"] {
        let more = of("output/a.rows.json", "json", "table.json_rows");
        world.run(&plan(vec![python("a", &write("output/a.rows.json", rows), more)])).succeeded();
    }
}

#[test]
fn letters_and_marks_are_the_letters_that_a_contract_has() {
    let world = World::new();
    let (composed, apart) = ("r\u{e9}sum\u{e9}.txt", "re\u{301}sume\u{301}.txt");
    world.give(apart, "Ada");
    let path = format!("input/{apart}");
    let more = json!({ "input_file_paths": [path] });
    let source =
        format!("open('output/a.json', 'w').write('{{}}' if open('input/{composed}').read() == 'Ada' else '')");
    let inputs = json!({ "inputs": [{ "slot": "raw_files", "path": path, "entity_schema_id": "generic.file" }] });
    world.run(&with(plan(vec![python("a", &source, more)]), inputs)).succeeded();
    // What code writes is not renamed; that it looks the same is told.
    let world = World::new();
    let path = format!("output/{composed}");
    let more = json!({
        "expected_outputs": [{ "path": path }],
        "artifact_contracts": { path: { "format": "txt", "kind_key": "file.text" } },
    });
    let run = world.run(&plan(vec![python("a", &format!("open('output/{apart}', 'w').write('x')"), more)]));
    let failure = run.failure("a");
    assert_eq!(failure.code, "D2043");
    assert!(failure.help.unwrap().contains("composed letters"));
}

#[test]
fn secrets_by_the_name_of_their_column_are_in_no_receipt() {
    let world = World::new();
    let token = format!("ghp_{}", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");
    let source = format!(
        "open('output/c.csv', 'w').write('id,password,apiKey,userPIN,note,{token}\\n1,hunter2,abc-123,12345678901,a,1\\n2,tr0ub4dor,zzz-999,98765432109,b,2\\n')\n\
         open('output/o.json', 'w').write('{{\"{token}\": 1, \"{}{token}\": 2, \"plain\": 3}}')\n\
         open('output/r.json', 'w').write('[{{\"{token}\": 1, \"id\": 2}}]')\n\
         open('output/y.yaml', 'w').write('{token}: 1\\nplain: 2\\n')\n",
        "x ".repeat(48)
    );
    let more = json!({
        "expected_outputs": [
            { "path": "output/c.csv" }, { "path": "output/o.json" }, { "path": "output/r.json" },
            { "path": "output/y.yaml" },
        ],
        "artifact_contracts": {
            "output/c.csv": { "format": "csv", "kind_key": "table.csv" },
            "output/o.json": { "format": "json", "kind_key": "object.json" },
            "output/r.json": { "format": "json", "kind_key": "table.json_rows" },
            "output/y.yaml": { "format": "yaml", "kind_key": "object.yaml" },
        },
    });
    let run = world.run(&plan(vec![python("a", &source, more)]));
    run.succeeded().verified();
    let receipt = run.receipt("a");
    for file in &receipt.outputs {
        let told = serde_json::to_string(&file.found).unwrap();
        for secret in ["hunter2", "tr0ub4dor", "abc-123", "zzz-999", "12345678901", "98765432109", "ghp_"] {
            assert!(!told.contains(secret), "{secret}: {told}");
        }
        assert!(told.contains("[secret]") && (told.contains("plain") || told.contains("id")), "{told}");
    }
}

#[test]
fn a_receipt_that_said_more_still_holds_and_is_not_signed_again() {
    let world = World::new();
    let source = "open('output/c.csv', 'w').write('id,pin\\n1,hunter2\\n2,tr0ub4dor\\n')\n";
    let more = json!({
        "expected_outputs": [{ "path": "output/c.csv" }],
        "artifact_contracts": { "output/c.csv": { "format": "csv", "kind_key": "table.csv" } },
    });
    let run = world.run(&plan(vec![python("a", source, more)]));
    run.succeeded();
    let today = run.receipt("a").outputs.remove(0).found;
    let mut before = today.clone();
    let ContentSummary::Table(table) = &mut before.summary else { panic!("no table") };
    table.columns[1].min = Some(Extreme::Text("hunter2".to_owned()));
    table.columns[1].max = Some(Extreme::Text("tr0ub4dor".to_owned()));
    assert_ne!(before, today);
    assert_eq!(deed_receipts::concealed(before), today);
}
