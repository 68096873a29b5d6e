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
