//! The isolation that this machine can enforce, and the sandbox of a step.

use super::example::{changed, ends, tally};
use crate::common::Project;
use serde_json::json;

#[test]
fn the_probe_says_a_level_and_what_is_missing_for_more() {
    let p = Project::bare();
    let here = p.json(&["sandbox", "probe"]);
    assert!(["L1", "L2", "L3"].contains(&here["data"]["level"].as_str().unwrap()), "{here}");
    let less = p.ok(&["sandbox", "probe", "--without-user-namespaces"]).stdout;
    assert!(less.starts_with("level        L1\n"), "{less}");
    assert!(less.contains("namespaces   left out on request\n"), "{less}");
    assert!(less.contains("not L2       namespaces cannot be made: left out on request\n"), "{less}");
    let groups = p.ok(&["sandbox", "probe", "--without-cgroups"]).stdout;
    assert!(!groups.starts_with("level        L3\n"), "{groups}");
}

#[test]
fn the_plan_lists_mounts_limits_rules_and_calls() {
    let p = tally();
    let text = p.ok(&["sandbox", "plan", "tally.yaml", "add"]).stdout;
    for words in [
        " -B -s /workspace/meta/main.py\n",
        "  DEED_BRIDGE=/run/deed/bridge.sock\n",
        "  /workspace/input/orders.csv read-only /STAGE/in/input/orders.csv\n",
        "  /workspace/output          writable  /STAGE/out/output\n",
        "  60 s wall-clock",
        "system calls\n  allowed: ",
        "namespaces\n  user mount pid network",
    ] {
        assert!(text.contains(words), "{words}\n{text}");
    }
    // Nothing may be reached, so there is no proxy.
    assert!(!text.contains("3128"), "{text}");
    assert!(p.json(&["sandbox", "plan", "tally.yaml", "add"])["data"]["mounts"].is_array());
}

#[test]
fn steps_that_are_not_there_or_in_no_sandbox() {
    let p = tally();
    p.refuses(&["sandbox", "plan", "tally.yaml", "ad"], 1, "D2005", "did you mean `add`?");
    p.refuses(&["sandbox", "plan", "tally.yaml", "zzz"], 1, "D2005", "it has add, note");
    p.refuses(&["sandbox", "plan", "missing.yaml", "add"], 3, "D0001", "no such file");
    let billing = crate::common::billing::root().join("examples/billing/plan.yaml");
    let adapter = "adapt:input/rate_card.csv:csv_to_json_rows.v1";
    p.refuses(
        &["sandbox", "plan", billing.to_str().unwrap(), adapter],
        1,
        "D2066",
        "runs on `native`, without a sandbox",
    );
}

#[test]
fn a_step_that_demands_less_is_given_no_less_than_it_demands() {
    let p = tally();
    changed(
        &p,
        "tally.yaml",
        &[(
            "    max_retries: 0\n",
            "    max_retries: 0\n    sandbox: { minimum: L1, limits: { wall_seconds: 7, memory_bytes: 67108864 } }\n",
        )],
    );
    let text = p.ok(&["sandbox", "plan", "tally.yaml", "add"]).stdout;
    assert!(text.contains("  7 s wall-clock"), "{text}");
    ends(&p, &["run", "--plan", "tally.yaml", "--input", "input", "--id", "one"], 5, &[]);
    let receipt = p.json(&["receipts", "show", "one", "add"]);
    let obtained = receipt["data"][1]["statement"].pointer("/predicate/execution/sandbox/obtained");
    assert_ne!(obtained, Some(&json!("L0")));
}

#[test]
fn an_interpreter_that_is_missing_is_named_with_what_to_install() {
    let p = tally();
    std::fs::create_dir(p.path("empty")).unwrap();
    let args = ["run", "--plan", "tally.yaml", "--input", "input", "--id", "one"];
    let out = p.command(&args).env("PATH", p.path("empty")).output().unwrap();
    let said = String::from_utf8_lossy(&out.stdout);
    assert_eq!(out.status.code(), Some(1), "{said}");
    assert!(said.contains("D2037: "), "{said}");
    assert!(said.contains("help: install Python 3, so that `python3` is on `PATH`"), "{said}");
}

#[test]
fn a_strict_umask_closes_nothing_that_a_step_needs() {
    let deed = env!("CARGO_BIN_EXE_deed");
    for umask in ["027", "077"] {
        let p = Project::bare();
        p.write("tally.yaml", super::example::TALLY);
        p.write("input/orders.csv", "order,amount\na,40\nb,2\n");
        let script = format!(
            "umask {umask} && {deed} init --tenant a && {deed} run --plan tally.yaml --input input --id one --approve clerk && \
             {deed} receipts verify one"
        );
        let out = p.shell(&script);
        assert_eq!(out.code, 0, "{umask}: {}{}", out.stdout, out.stderr);
        // What was closed before is opened again.
        let closed = format!(
            "chmod -R go-rwx .deed/tools && umask {umask} && {deed} run --plan tally.yaml --input input --id two --approve clerk"
        );
        let out = p.shell(&closed);
        assert_eq!(out.code, 0, "{umask}: {}{}", out.stdout, out.stderr);
    }
}

#[test]
fn a_home_may_be_named_from_here() {
    let p = tally();
    std::fs::rename(p.path(".deed"), p.path("kept")).unwrap();
    let args =
        ["run", "--plan", "tally.yaml", "--input", "input", "--id", "one", "--home", "./kept", "--approve", "clerk"];
    p.ok(&args);
    p.ok(&["receipts", "verify", "one", "--home", "kept/"]);
}

/// Other users of the machine can neither list nor read what is staged, whatever was there before.
#[test]
fn the_stage_is_closed_to_other_users() {
    use std::os::unix::fs::PermissionsExt;
    let p = tally();
    std::fs::create_dir(p.path(".deed/stage")).unwrap();
    std::fs::set_permissions(p.path(".deed/stage"), std::fs::Permissions::from_mode(0o755)).unwrap();
    ends(&p, &["run", "--plan", "tally.yaml", "--input", "input", "--id", "one"], 5, &[]);
    let level = p.json(&["sandbox", "probe"])["data"]["level"].clone();
    let expected = if level == "L1" { 0o711 } else { 0o700 };
    for folder in [".deed/stage", ".deed/stage/one"] {
        let mode = std::fs::metadata(p.path(folder)).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, expected, "{folder}");
    }
}

/// Steps that take every connection they can get do not cut off another one, however few files may be open.
#[test]
fn greedy_steps_do_not_starve_others() {
    let p = Project::bare();
    p.ok(&["init", "--tenant", "acme"]);
    let reactor = tokio::runtime::Runtime::new().unwrap();
    let _inside = reactor.enter();
    let server = deed_testkit::loopback::Server::plain(|_| deed_testkit::loopback::text(200, "{}"));
    let greedy = "import os, socket, time\nheld = []\ntry:\n    for _ in range(400):\n        one = \
                  socket.socket(socket.AF_UNIX)\n        one.settimeout(0.05)\n        one.connect(os.environ['DEED_BRIDGE'])\n        \
                  one.sendall(b'POST /v1/call HTTP/1.1\\r\\n')\n        held.append(one)\nexcept OSError: pass\ntime.sleep(3)\nheld.clear()\n\
                  open('output/NAME.json', 'w').write('{}')\n";
    let posts = format!(
        "import deed\nfor n in range(20): deed.fetch({:?}, 'POST', body={{'n': n}})\nopen('output/d.json', 'w').write('{{}}')\n",
        server.url("api.example.test", "/")
    );
    let step = |name: &str, source: &str, more: serde_json::Value| {
        let path = format!("output/{name}.json");
        let mut step = json!({
            "id": name, "label": name, "objective": "MUST run", "code": { "language": "python", "source": source },
            "expected_outputs": [{ "path": path, "role": "primary" }], "max_retries": 0,
            "artifact_contracts": { path.clone(): { "format": "json", "kind_key": "object.json" } },
            "success_criteria": [format!("{path} is valid json")], "budget": { "wall_seconds": 60, "governed_calls": 30 },
        });
        step.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        step
    };
    let mut steps: Vec<serde_json::Value> =
        ["a", "b", "c"].iter().map(|name| step(name, &greedy.replace("NAME", name), json!({}))).collect();
    let egress = json!([{ "scheme": "http", "host": "api.example.test", "port": server.port, "methods": ["POST"],
        "private_addresses": true }]);
    steps.push(step("d", &posts, json!({ "tool_needs": ["http.submit"], "egress": egress })));
    p.write(
        "greedy.json",
        json!({
            "plan": "greedy", "mission": { "objective": "Run" }, "steps": steps,
            "policy_profile_id": "generic.inference-allowed.v1",
        })
        .to_string(),
    );
    let out = p.shell(&format!(
        "prlimit --nofile=400:400 {} run --plan greedy.json --id one --resolve api.example.test=127.0.0.1",
        env!("CARGO_BIN_EXE_deed")
    ));
    assert_eq!(out.code, 0, "{}{}", out.stdout, out.stderr);
    assert_eq!(server.seen().len(), 20);
}
