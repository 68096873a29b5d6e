//! Code of steps is parsed when a plan is checked: the author's line is shown, and nothing of the code is run.

use crate::common::Project;

const PLAN: &str = "plan: coded
mission: { objective: Write three notes }
policy_profile_id: generic.inference-allowed.v1
steps:
  - id: first
    label: First
    objective: MUST write
    code:
      language: python
      source: |
        import json
        PYTHON
    expected_outputs: [{ path: output/first.txt, role: primary }]
    artifact_contracts: { output/first.txt: { format: txt, kind_key: file.text } }
    success_criteria: output/first.txt exists
  - id: second
    label: Second
    objective: MUST write
    code: { language: javascript, file: steps/second.js }
    expected_outputs: [{ path: output/second.txt, role: primary }]
    artifact_contracts: { output/second.txt: { format: txt, kind_key: file.text } }
    success_criteria: output/second.txt exists
  - id: third
    label: Third
    objective: MUST write
    code: { language: shell, source: \"SHELL\" }
    expected_outputs: [{ path: output/third.txt, role: primary }]
    artifact_contracts: { output/third.txt: { format: txt, kind_key: file.text } }
    success_criteria: output/third.txt exists
";

fn project(python: &str, javascript: &str, shell: &str) -> Project {
    let p = Project::bare();
    p.write("plan.yaml", PLAN.replace("PYTHON", python).replace("SHELL", shell));
    std::fs::create_dir_all(p.path("steps")).unwrap();
    p.write("steps/second.js", javascript);
    p
}

const GOOD_JS: &str = "export default function () {\n  return { 'output/second.txt': 'x' };\n}\n";

#[test]
fn a_mistake_in_any_language_is_shown_at_its_line() {
    let bad_js = "export default function () {\n  return { ;\n}\n";
    let p = project("open('output/first.txt', 'w'", bad_js, "if true; then echo x");
    let out = p.run(&["plan", "check", "plan.yaml", "--lines"]);
    assert_eq!(out.code, 1, "{}", out.stderr);
    for part in [
        "plan.yaml:12:9: error[D1981] step `first`: the python code cannot be parsed, line 2 of its code",
        "steps/second.js:2:3: error[D1981] step `second`: the javascript code cannot be parsed, line 2 of its code",
        "plan.yaml:26:38: error[D1981] step `third`: the shell code cannot be parsed",
    ] {
        assert!(out.stderr.contains(part), "{part}\n{}", out.stderr);
    }
}

#[test]
fn sound_code_compiles_and_nothing_of_it_is_run() {
    let made = |name: &str| format!("open('/tmp/{name}', 'w').write('x')");
    let name = format!("deed-parsed-{}", std::process::id());
    let p = project(&made(&name), GOOD_JS, "echo x > output/third.txt");
    let out = p.ok(&["plan", "check", "plan.yaml"]);
    assert!(out.stdout.starts_with("coded: 3 steps"), "{}", out.stderr);
    assert!(!std::path::Path::new("/tmp").join(name).exists());
}

/// A module beside the plan is never imported, and a program beside it never started.
#[test]
fn nothing_of_the_folder_reaches_the_parser() {
    let p = project("print(1)", GOOD_JS, "echo x");
    for name in ["json.py", "ast.py", "sitecustomize.py", "usercustomize.py"] {
        p.write(name, "open('planted.txt', 'w').write('x')\n");
    }
    for name in ["python3", "node", "sh"] {
        p.write(name, "#!/bin/sh\ntouch planted.txt\n");
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(p.path(name), mode).unwrap();
    }
    let path = format!(".:{}", std::env::var("PATH").unwrap());
    let env = [("PATH", path.as_str()), ("PYTHONPATH", "."), ("NODE_OPTIONS", "--require ./planted.js"), ("ENV", "x")];
    let out = p.command(&["plan", "check", "plan.yaml"]).envs(env).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    assert!(!p.path("planted.txt").exists());
}

/// An isolate's refusal is an error of the check, at the author's line; with it the plan is neither compiled nor run.
#[test]
fn code_that_no_isolate_can_run_is_refused_before_anything_runs() {
    let f = "export default function () {\n  return { 'output/second.txt': 'x' };\n}\n";
    for (code, says) in [
        (
            "const x = 1;\n".to_owned(),
            "steps/second.js: error[D1986] step `second`: the code cannot run in an isolate: it exports no default function",
        ),
        (
            format!("\nimport fs from 'fs';\n{f}"),
            "steps/second.js:2:1: error[D1986] step `second`: the code cannot run in an isolate, line 2 of its code: it imports `fs`",
        ),
        (
            format!("const fs = require('fs');\n{f}"),
            "steps/second.js:1:1: error[D1986] step `second`: the code cannot run in an isolate, line 1 of its code: it uses `require`",
        ),
        (format!("const x = await 1;\n{f}"), "steps/second.js:1:1: error[D1986]"),
        ("export default async function () {\n  return {};\n}\n".to_owned(), "steps/second.js:1:1: error[D1986]"),
        (
            "export default { run() { return {} } }\n".to_owned(),
            "its default export is an object, and must be a function",
        ),
        (format!("const home = process.env.HOME;\n{f}"), "it uses `process`, which an isolate does not have"),
    ] {
        let p = project("print(1)", &code, "echo x");
        for command in [&["plan", "check", "plan.yaml", "--lines"][..], &["plan", "compile", "plan.yaml", "--lines"]] {
            let out = p.run(command);
            assert_eq!(out.code, 1, "{code}\n{}", out.stderr);
            assert!(out.stderr.contains(says), "{says}\n{}", out.stderr);
        }
        let out = p.run(&["run", "--plan", "plan.yaml", "--id", "r"]);
        assert_eq!(out.code, 1, "{code}\n{}", out.stderr);
        assert!(out.stderr.contains("D1986") && !out.stdout.contains("first"), "{}\n{}", out.stdout, out.stderr);
    }
}

/// A name that an isolate lacks is a warning where a run need not reach it, and nothing where the script binds it.
#[test]
fn a_name_that_an_isolate_lacks_is_a_warning_at_its_line() {
    let code = "export default function (inputs) {\n  if (inputs.x) {\n    process.exit(1);\n  }\n  return { 'output/second.txt': 'x' };\n}\n";
    let p = project("print(1)", code, "echo x");
    let out = p.ok(&["plan", "check", "plan.yaml", "--lines"]);
    let says = "steps/second.js:3:5: warning[D1987] step `second`: the code may fail in an isolate, line 3 of its code: it uses `process`";
    assert!(out.stderr.contains(says), "{}", out.stderr);
    let bound = "export default function (inputs) {\n  const process = { exit() {} };\n  process.exit(1);\n  return { 'output/second.txt': 'x' };\n}\n";
    p.write("steps/second.js", bound);
    assert_eq!(p.ok(&["plan", "check", "plan.yaml", "--lines"]).stderr, "");
}

/// Code that is run by Node.js in the sandbox may do what an isolate may not.
#[test]
fn rules_of_the_isolate_do_not_bind_code_in_a_sandbox() {
    let p = project("print(1)", "import fs from 'node:fs';\nfs.writeFileSync('output/second.txt', 'x');\n", "echo x");
    let plan = std::fs::read_to_string(p.path("plan.yaml"))
        .unwrap()
        .replace("file: steps/second.js }", "file: steps/second.js }\n    tool_needs: [sandbox.session]");
    p.write("plan.yaml", plan);
    p.ok(&["plan", "check", "plan.yaml"]);
}

/// Small JavaScript is compiled by the engine that runs it, and needs no other.
#[test]
fn small_javascript_is_checked_without_node() {
    let p = project("print(1)", "export default function () {\n  return { ;\n}\n", "echo x");
    let out = p.command(&["plan", "check", "plan.yaml", "--lines"]).env("PATH", "/nowhere").output().unwrap();
    let told = String::from_utf8_lossy(&out.stderr);
    assert!(told.contains("steps/second.js:2:3: error[D1981]"), "{told}");
}

const ONE: &str = "plan: coded
mission: { objective: Write a note }
policy_profile_id: generic.inference-allowed.v1
steps:
  - id: first
    label: First
    objective: MUST write
    code:
      language: LANGUAGE
      CODE
    expected_outputs: [{ path: output/first.txt, role: primary }]
    artifact_contracts: { output/first.txt: { format: txt, kind_key: file.text } }
    success_criteria: output/first.txt exists
";

/// However a text is written in YAML, a mistake is shown on the line that the author wrote.
#[test]
fn a_mistake_is_shown_at_the_authors_line_in_every_style_of_yaml() {
    for (code, place) in [
        // Lines of a folded block are joined unless a line is empty: the mistake is in the second line of the code.
        ("source: >\n        x = 1\n\n        y = (2\n\n        z = 3", "plan.yaml:13:9"),
        ("source: >-\n        x = [1,\n        2]\n\n        y = = 2", "plan.yaml:14:9"),
        ("source: |\n        x = 1\n        y = = 2", "plan.yaml:12:9"),
        ("source: | # the code\n\n        x = 1\n        y = = 2", "plan.yaml:13:9"),
        ("source: |2-\n        x = 1\n        y = = 2", "plan.yaml:12:9"),
        ("source: \"x = 1\\ny = = 2\"", "plan.yaml:10:15"),
        ("source: \"x = 1\n\n        y = = 2\"", "plan.yaml:12:9"),
        ("source: x = 1\n\n        y = = 2", "plan.yaml:12:9"),
    ] {
        let p = Project::bare();
        p.write("plan.yaml", ONE.replace("LANGUAGE", "python").replace("CODE", code));
        let out = p.run(&["plan", "check", "plan.yaml", "--lines"]);
        assert!(out.stderr.contains(&format!("{place}: error[D1981]")), "{code}\n{}", out.stderr);
    }
}

/// A byte order mark at the start of a file is no code.
#[test]
fn a_file_with_a_byte_order_mark_is_checked_and_run_as_one_without() {
    for (language, file, code) in [
        ("python", "steps/first.py", "open('output/first.txt', 'w').write('x')\n"),
        ("javascript", "steps/first.js", "export default () => ({ 'output/first.txt': 'x' });\n"),
        ("shell", "steps/first.sh", "printf x > output/first.txt\n"),
    ] {
        let p = Project::bare();
        std::fs::create_dir_all(p.path("steps")).unwrap();
        p.write("plan.yaml", ONE.replace("LANGUAGE", language).replace("CODE", &format!("file: {file}")));
        p.write(file, format!("\u{feff}{code}"));
        p.ok(&["plan", "check", "plan.yaml"]);
        p.ok(&["init"]);
        p.ok(&["run", "--plan", "plan.yaml", "--id", "marked"]);
    }
    let p = Project::bare();
    std::fs::create_dir_all(p.path("steps")).unwrap();
    p.write("plan.yaml", ONE.replace("LANGUAGE", "python").replace("CODE", "file: steps/first.py"));
    p.write("steps/first.py", "\u{feff}x = 1\ny = = 2\n");
    let out = p.run(&["plan", "check", "plan.yaml", "--lines"]);
    assert!(out.stderr.contains("steps/first.py:2:1: error[D1981]"), "{}", out.stderr);
}

/// Node runs the code of a step as a module: names that only CommonJS has are found before a run fails over them.
#[test]
fn names_of_commonjs_are_found() {
    let checked = |code: &str| {
        let p = Project::bare();
        let plan = ONE.replace("LANGUAGE", "javascript").replace("CODE", &format!("source: |\n        {code}"));
        p.write("plan.yaml", plan.replace("    objective:", "    tool_needs: [sandbox.session]\n    objective:"));
        p.run(&["plan", "check", "plan.yaml", "--lines"])
    };
    for (code, name) in [
        ("const fs = require('node:fs');", "require"),
        ("const a = 1;\n        module.exports = { a };", "module"),
        ("console.log(__dirname);", "__dirname"),
    ] {
        let out = checked(code);
        assert_eq!(out.code, 1, "{code}: {}", out.stderr);
        assert!(out.stderr.contains("error[D1990]") && out.stderr.contains(&format!("`{name}`")), "{}", out.stderr);
    }
    for code in [
        "import fs from 'node:fs';\n        fs.existsSync(\"require('x')\"); // require('x')",
        "import { createRequire } from 'node:module';\n        const require = createRequire(import.meta.url); require('node:fs');",
        "if (typeof require !== 'undefined') require('node:fs');",
    ] {
        let out = checked(code);
        assert!(!out.stderr.contains("D1990"), "{code}: {}", out.stderr);
    }
}
