use crate::common::Project;

const CASE: &str = include_str!("../../../../../packs/support/golden/02_deny_unverified.yaml");

/// The support pack with a golden case, published.
fn published() -> Project {
    let p = Project::new();
    p.write("support/golden/02_deny.yaml", CASE);
    p.ok(&["pack", "lint", "support"]);
    p.review_all();
    p.ok(&["pack", "sign", "support", "--key", "acme", "--out", "proof/signature.json"]);
    p.ok(&["pack", "publish", "support"]);
    p
}

#[test]
fn a_failing_case_is_not_passed_by_deleting_it() {
    let p = published();
    std::fs::remove_file(p.path("support/golden/02_deny.yaml")).unwrap();
    p.refuses(&["pack", "lint", "support"], 1, "D1204", "other overlays or golden cases");
    p.refuses(&["pack", "publish", "support"], 1, "D1204", "other overlays or golden cases");
    p.edit_in_place("support/pack.yaml", &[("pack_version: 1.0.0", "pack_version: 1.1.0"), ("@1.0.0", "@1.1.0")]);
    p.edit_in_place("support/overlays/staging.yaml", &[("@1.0.0", "@1.1.0")]);
    p.edit_in_place("support/overlays/high_risk.yaml", &[("@1.0.0", "@1.1.0")]);
    let diff = p.run(&["pack", "diff", "ctxpack.support@1.0.0", "./support"]);
    assert_eq!(diff.code, 1);
    assert!(diff.stdout.contains("major  removed golden case 02_deny"), "{}", diff.stdout);
    // What was published still has it, and proves it on every pin.
    let pinned = p.json(&["pack", "pin", "ctxpack.support@1.0.0", "--env", "prod"]);
    assert_eq!(pinned["data"]["golden_cases"], 1);
    assert_eq!(p.json(&["pack", "show", "ctxpack.support@1.0.0"])["data"]["golden_cases"], 1);
    p.ok(&["pack", "verify"]);
}

#[test]
fn a_review_is_of_the_cases_too() {
    let p = Project::new();
    p.write("support/golden/02_deny.yaml", CASE);
    p.ok(&["pack", "lint", "support"]);
    p.edit_in_place("support/golden/02_deny.yaml", &[("description:", "description: almost")]);
    p.refuses(&["pack", "review", "support", "--role", "security", "--key", "acme"], 1, "D1201", "golden cases");
    p.ok(&["pack", "lint", "support"]);
    p.review_all();
    p.ok(&["pack", "sign", "support", "--key", "acme", "--out", "proof/signature.json"]);
    p.ok_to("trust.json", &["keys", "list", "--export"]);
    let verify = [
        "pack",
        "verify",
        "support",
        "--envelope",
        "proof/signature.json",
        "--review",
        "proof",
        "--trust",
        "trust.json",
    ];
    assert!(p.ok(&verify).stdout.contains("golden cases are part of what was signed"));
    std::fs::remove_file(p.path("support/golden/02_deny.yaml")).unwrap();
    p.refuses(&verify, 1, "D1307", "other golden cases");
}

const ALLOW: &str = include_str!("../../../../../packs/support/golden/01_allow.yaml");
const APPROVAL: &str = include_str!("../../../../../packs/support/golden/03_approval_needed.yaml");
const LOOSER: [(&str, &str); 1] = [("refund_amount }, 3000", "refund_amount }, 9000")];

/// A draft with two cases, one of which a looser pack fails.
fn looser() -> Project {
    let p = Project::draft();
    p.write("support/golden/01_allow.yaml", ALLOW);
    p.write("support/golden/03_approval.yaml", APPROVAL);
    p.edit_in_place("support/pack.yaml", &LOOSER);
    p
}

#[test]
fn lint_names_the_stage_and_the_field_that_moved() {
    let p = looser();
    let out = p.run(&["pack", "lint", "support", "--no-record"]);
    assert_eq!(out.code, 1);
    let line = "stage `policy` moved at /expect/approval_gates_active: `[\"GATE_FINANCE_APPROVAL\"]` -> `[]`";
    assert!(out.stderr.contains(line), "{}", out.stderr);
}

#[test]
fn a_case_is_accepted_only_when_it_is_asked_for() {
    let p = looser();
    let read = |name: &str| std::fs::read_to_string(p.path(name)).unwrap();
    let shown = p.run(&["golden", "accept", "support"]);
    assert_eq!(shown.code, 1);
    assert!(shown.stderr.contains("[D0713]") && shown.stderr.contains("--yes"), "{}", shown.stderr);
    assert!(shown.stdout.contains("03_approval                      moved  policy\n"), "{}", shown.stdout);
    assert_eq!(
        (read("support/golden/01_allow.yaml"), read("support/golden/03_approval.yaml")),
        (ALLOW.into(), APPROVAL.into())
    );
    p.refuses(&["golden", "accept", "support", "03_aproval", "--yes"], 1, "D0712", "did you mean `03_approval`?");
    let json = p.json(&["golden", "accept", "support"]);
    assert_eq!(json["ok"], false);
    let cases = json["data"]["cases"].as_array().unwrap();
    let moved = cases.iter().flat_map(|case| case["moved"].as_array().unwrap());
    assert!(moved.clone().any(|one| one["pointer"] == "/expect/outcome" && one["stage"] == "policy"), "{json:#}");

    let done = p.ok(&["golden", "accept", "support", "--yes"]);
    assert!(done.stderr.starts_with("accepted "), "{}", done.stderr);
    let accepted = read("support/golden/03_approval.yaml");
    assert!(accepted.contains("outcome: compiled") && accepted != APPROVAL, "{accepted}");
    p.ok(&["pack", "lint", "support", "--no-record"]);
    // A second time changes nothing.
    let allowed = read("support/golden/01_allow.yaml");
    let again = p.ok(&["golden", "accept", "support", "--yes"]);
    assert_eq!((again.stdout.as_str(), again.stderr.as_str()), ("", "nothing to accept\n"));
    assert_eq!((read("support/golden/01_allow.yaml"), read("support/golden/03_approval.yaml")), (allowed, accepted));
}

#[test]
fn only_the_named_case_is_rewritten() {
    let p = looser();
    p.ok(&["golden", "accept", "support", "03_approval", "--yes"]);
    assert_eq!(std::fs::read_to_string(p.path("support/golden/01_allow.yaml")).unwrap(), ALLOW);
    p.edit_in_place("support/golden/03_approval.yaml", &[("description:", "descriptoin:")]);
    // A case that cannot be compiled is told of, and left as it is.
    let before = std::fs::read_to_string(p.path("support/golden/03_approval.yaml")).unwrap();
    let out = p.run(&["golden", "accept", "support", "03_approval", "--yes"]);
    assert_eq!(out.code, 1);
    assert!(out.stderr.contains("[D0702]"), "{}", out.stderr);
    assert_eq!(std::fs::read_to_string(p.path("support/golden/03_approval.yaml")).unwrap(), before);
}

/// Killed as soon as the new text is on its way, the file is the old or the new one.
#[cfg(target_os = "linux")]
#[test]
fn a_kill_leaves_the_old_or_the_new_file() {
    let p = looser();
    let folder = p.path("support/golden");
    let file = folder.join("03_approval.yaml");
    p.ok(&["golden", "accept", "support", "03_approval", "--yes"]);
    let new = std::fs::read_to_string(&file).unwrap();
    let mut killed = 0;
    for _ in 0..6 {
        std::fs::write(&file, APPROVAL).unwrap();
        let mut child = p.command(&["golden", "accept", "support", "03_approval", "--yes"]).spawn().unwrap();
        let unfinished = || {
            let entries = std::fs::read_dir(&folder).unwrap().filter_map(Result::ok);
            entries.map(|entry| entry.file_name()).any(|name| name.to_string_lossy().starts_with(".tmp"))
        };
        while child.try_wait().unwrap().is_none() {
            if unfinished() {
                child.kill().unwrap();
                killed += usize::from(!child.wait().unwrap().success());
                break;
            }
        }
        let left = std::fs::read_to_string(&file).unwrap();
        assert!(left == APPROVAL || left == new, "{left}");
    }
    // Whatever was left, the command does the rest.
    p.ok(&["golden", "accept", "support", "--yes"]);
    p.ok(&["pack", "lint", "support", "--no-record"]);
    eprintln!("{killed} of 6 were killed while they wrote");
}

#[test]
fn a_new_pack_has_a_golden_case_that_passes_at_every_version() {
    for minimal in [false, true] {
        let p = Project::bare();
        let args = ["pack", "new", "ctxpack.new", "--tenant", "acme", "--minimal"];
        p.ok(&args[..if minimal { 6 } else { 5 }]);
        let run = p.json(&["golden", "run", "./ctxpack.new"]);
        assert_eq!((&run["data"]["passed"], &run["data"]["cases"][0]["passed"]), (&1.into(), &true.into()));
        p.edit_in_place("ctxpack.new/pack.yaml", &[("0.1.0", "0.2.0")]);
        for overlay in std::fs::read_dir(p.path("ctxpack.new/overlays")).into_iter().flatten() {
            let name = overlay.unwrap().file_name().into_string().unwrap();
            p.edit_in_place(&format!("ctxpack.new/overlays/{name}"), &[("0.1.0", "0.2.0")]);
        }
        p.ok(&["pack", "lint", "ctxpack.new", "--no-record"]);
    }
}

/// The support pack and a recording of its example.
fn recording() -> Project {
    use crate::context::example::{context, inputs};
    let p = Project::draft();
    inputs(&p);
    p.ok(&context("record", &["--evidence", "evidence.yaml", "--memory", "memory.yaml", "--out", "a.json"]));
    p
}

#[test]
fn a_recording_becomes_a_case() {
    let p = recording();
    let out = p.ok(&["golden", "from-recording", "a.json", "--pack", "support", "--name", "11_worked"]);
    assert_eq!(out.stdout, "support/golden/11_worked.yaml\n");
    p.ok(&["pack", "lint", "support", "--no-record"]);
    let run = p.json(&["golden", "run", "./support"]);
    assert_eq!(run["data"]["cases"][0]["passed"], true);
    // It is not replaced, and a name is a file's.
    p.refuses(&["golden", "from-recording", "a.json", "--pack", "support", "--name", "11_worked"], 1, "D0006", "");
    p.refuses(&["golden", "from-recording", "a.json", "--pack", "support", "--name", "../x"], 2, "D0718", "");
    p.edit_in_place("support/pack.yaml", &LOOSER);
    let args = ["golden", "from-recording", "a.json", "--pack", "support", "--name", "12_worked"];
    p.refuses(&args, 1, "D0715", "the stage `policy` moved");
    assert!(!p.path("support/golden/12_worked.yaml").exists());
}

#[test]
fn a_recording_with_secrets_or_people_becomes_no_case() {
    use crate::context::example::context;
    let sample = deed_detect::sample("github-classic-token", 7).unwrap();
    let token = &sample.text[sample.secret];
    for (name, text) in [("secret", token), ("card", "4111 1111 1111 1111"), ("mail", "jane.roe@acme-mail.com")] {
        let p = recording();
        p.edit_in_place("request.yaml", &[("message: ", "message: Mine: ")]);
        let request = std::fs::read_to_string(p.path("request.yaml")).unwrap();
        let at = request.find("message: Mine: ").unwrap() + "message: Mine: ".len();
        let end = at + request[at..].find('\n').unwrap();
        p.write("request.yaml", format!("{}{:?}{}", &request[..at - 6], text, &request[end..]));
        let file = format!("{name}.json");
        p.ok(&context("record", &["--out", &file]));
        let args = ["golden", "from-recording", &file, "--pack", "support", "--name", "x"];
        let out = p.run(&args);
        assert_eq!(out.code, 1, "{}", out.stdout);
        assert!(out.stderr.contains("[D0714]") && out.stderr.contains(&format!("{file}:")), "{}", out.stderr);
        assert!(!out.stderr.contains(text), "{}", out.stderr);
        assert!(!p.path("support/golden/x.yaml").exists());
    }
}
