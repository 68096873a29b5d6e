//! Private files of the workspace: keys and secrets are neither inputs nor code, by whatever name.

use super::example::{TALLY, ends, tally};

#[test]
fn files_of_the_workspace_are_no_inputs() {
    let p = tally();
    p.ok(&["keys", "generate", "mine"]);
    p.write(".deed/secrets/pay", "hunter2-secret");
    std::fs::create_dir_all(p.path("given")).unwrap();
    std::os::unix::fs::symlink(p.path(".deed/keys/mine.pem"), p.path("given/linked.csv")).unwrap();
    std::os::unix::fs::symlink("../.deed/secrets/pay", p.path("given/relative.csv")).unwrap();
    std::fs::hard_link(p.path(".deed/secrets/pay"), p.path("given/hard.csv")).unwrap();
    for (folder, input, more) in [
        (".", ".deed/secrets/pay", &[][..]),
        (".", ".deed/keys/mine.pem", &[]),
        (".", ".deed/runs/journal.sqlite", &[]),
        (".", "given/linked.csv", &[]),
        ("given", "linked.csv", &["--follow-links"]),
        ("given", "relative.csv", &["--follow-links"]),
        ("given", "hard.csv", &[]),
    ] {
        let plan = TALLY.replace("input/orders.csv, entity", &format!("input/{input}, kind_key: table.csv, entity"));
        p.write("own.yaml", plan.replace("input/orders.csv", &format!("input/{input}")));
        // The journal is there once something was submitted.
        let args = [&["run", "own.yaml", "--input", folder, "--id", "own"][..], more].concat();
        let out = p.run(&args);
        assert_eq!(out.code, 1, "{input}: {}", out.stderr);
        let refused = ["D2058", "D2002"].iter().any(|code| out.stderr.contains(code));
        assert!(refused, "{input}: {}", out.stderr);
    }
    assert_eq!(p.ok(&["runs", "list"]).stdout, "", "nothing ran");
}

#[test]
fn files_of_the_workspace_are_no_code() {
    let p = tally();
    p.write(".deed/secrets/pay", "print('hunter2-secret')");
    let start = TALLY.find("      source: |").unwrap();
    let body = TALLY.get(start..).unwrap().split("    expected_outputs").next().unwrap();
    p.write("own.yaml", TALLY.replacen(body, "      file: .deed/secrets/pay\n", 1));
    let out = ends(&p, &["plan", "check", "own.yaml"], 1, &["lies in `.deed`"]);
    assert!(!out.stderr.contains("hunter2"), "{}", out.stderr);
}

/// Text of a plan or of a path never moves the cursor of a terminal.
#[test]
fn findings_print_no_control_characters() {
    let p = tally();
    let start = TALLY.find("      source: |").unwrap();
    let body = TALLY.get(start..).unwrap().split("    expected_outputs").next().unwrap();
    p.write("bad\u{1b}[2Jx.py", "def (:\n");
    p.write("odd.yaml", TALLY.replacen(body, "      file: \"bad\\u001b[2Jx.py\"\n", 1));
    for form in [&[][..], &["--lines"]] {
        let out = p.run(&[&["plan", "check", "odd.yaml"][..], form].concat());
        assert_eq!(out.code, 1, "{}", out.stderr);
        assert!(!out.stderr.contains('\u{1b}') && out.stderr.contains("D1981"), "{:?}", out.stderr);
    }
    let out = p.run(&["run", "none\u{1b}[31m.yaml"]);
    assert!(out.code == 3 && !out.stderr.contains('\u{1b}'), "{:?}", out.stderr);
}

/// A command that is printed can be pasted, whatever the plan's file is called.
#[test]
fn printed_commands_are_quoted() {
    let p = tally();
    let name = "a b$(touch zz);it's.yaml";
    p.write(name, TALLY.replace("sum(amounts)", "no_such_name"));
    let out = p.run(&["run", name, "--input", "input", "--id", "one"]);
    assert_eq!(out.code, 1, "{}", out.stderr);
    let says = "deed run 'a b$(touch zz);it'\\''s.yaml' --input input --from one --step add";
    assert!(out.stderr.contains(says), "{}", out.stderr);
}

/// A secret that cannot be sent is refused before anything runs.
#[test]
fn a_useless_secret_is_refused_before_anything_runs() {
    let p = tally();
    let egress = "    tool_needs: [http.submit]\n    egress:\n      - host: api.example.test\n        methods: [POST]\n        \
                  credential: { secret: \"secret://pay\", header: authorization }\n";
    let send = TALLY.replacen("    depends_on: [add]\n", &format!("    depends_on: [add]\n{egress}"), 1);
    p.write("send.yaml", send);
    for (secret, says) in [("", "too short"), ("abc", "too short"), ("line\nbreak-within", "no header carries")] {
        p.write(".deed/secrets/pay", secret);
        let owner_only = std::os::unix::fs::PermissionsExt::from_mode(0o600);
        std::fs::set_permissions(p.path(".deed/secrets/pay"), owner_only).unwrap();
        let out = p.run(&["run", "send.yaml", "--input", "input", "--id", "one", "--approve", "clerk"]);
        assert!(
            out.code == 1 && out.stderr.contains("D2056") && out.stderr.contains(says),
            "{secret:?}: {}",
            out.stderr
        );
    }
    assert_eq!(p.ok(&["runs", "list"]).stdout, "", "nothing ran");
}

/// No other user can write to the workspace or read its keys, whatever the caller's umask is.
#[test]
fn a_careless_umask_opens_nothing() {
    use std::os::unix::fs::PermissionsExt;
    let p = crate::common::Project::bare();
    let deed = env!("CARGO_BIN_EXE_deed");
    p.write("tally.yaml", TALLY);
    p.write("input/orders.csv", "order,amount\na,40\nb,2\n");
    let script = format!(
        "umask 000 && {deed} init && {deed} keys generate mine && {deed} run tally.yaml --input input --id one --approve clerk"
    );
    let done = std::process::Command::new("/bin/sh").args(["-c", &script]).current_dir(p.path("")).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let mode = |path: &str| std::fs::metadata(p.path(path)).unwrap().permissions().mode() & 0o777;
    for (path, most) in [
        (".deed", 0o755),
        (".deed/keys", 0o700),
        (".deed/tools", 0o755),
        (".deed/runs", 0o700),
        (".deed/runs/locks", 0o700),
        (".deed/anchor", 0o700),
        (".deed/keys/mine.pem", 0o600),
    ] {
        assert_eq!(mode(path) & !most, 0, "{path} is {:o}", mode(path));
    }
}
