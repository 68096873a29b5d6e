//! Contexts under a workspace: its pack and its memory.

use super::fixture::data;
use crate::common::Project;
use crate::context::example::{inputs, vary};
use serde_json::json;

/// A project with the pack published, a request that pins none, and a workspace with a default pack.
fn project() -> Project {
    let p = Project::published();
    inputs(&p);
    vary(&p, "request.yaml", "open.yaml", &[("context_pack_refs: [ctxpack.support@1.0.0]\n", "")]);
    p.ok(&["workspace", "new", "desk", "--use", "--pack", "ctxpack.support@1.0.0"]);
    p
}

const COMPILE: [&str; 6] = ["context", "compile", "--request", "open.yaml", "--run", "run.yaml"];

#[test]
fn the_workspace_gives_the_pack_of_a_request_that_pins_none() {
    let p = project();
    let source = |more: &[&str]| {
        let compiled = data(&p, &[&COMPILE[..], more].concat());
        compiled["context_ledger"]["pack_source"]["named_by"].clone()
    };
    assert_eq!(source(&[]), json!({ "by": "workspace", "workspace": "desk" }));
    let told = p.ok(&COMPILE).stdout;
    assert!(told.contains("the default of the workspace desk: the request pins none"), "{told}");
    assert_eq!(source(&["--pack", "ctxpack.support@1.0.0"]), json!({ "by": "caller" }));
    let pinned = ["context", "compile", "--request", "request.yaml", "--run", "run.yaml"];
    assert!(!p.ok(&pinned).stdout.contains("workspace desk"));
    p.refuses(&[&COMPILE[..], &["--no-workspace"]].concat(), 1, "D1501", "names no pack");
    p.refuses(&[&COMPILE[..], &["--workspace", "dosk"]].concat(), 1, "D3001", "did you mean `desk`?");
    for verb in [&["explain"][..], &["sweep", "--vary", "user.role=lead,agent"]] {
        let args = [&["context"], &verb[..1], &COMPILE[2..], &verb[1..]].concat();
        let out = p.run(&args);
        assert!(!out.stderr.contains("[D1501]"), "{args:?}: {}", out.stderr);
        p.refuses(&[&args[..], &["--no-workspace"]].concat(), 1, "D1501", "names no pack");
    }
    p.ok(&["workspace", "set", "--unset", "pack"]);
    p.refuses(&COMPILE, 1, "D1501", "names no pack");
}

/// A workspace that is named and does not exist is refused wherever it is named, and a name never leads out of the home.
#[test]
fn a_workspace_that_is_not_there_is_refused() {
    let p = project();
    let pack = ["--pack", "ctxpack.support@1.0.0"];
    for recall in [&[][..], &["--recall"]] {
        for (name, code) in [("dosk", "D3001"), ("../workspaces/desk", "D3003"), ("../x", "D3003")] {
            p.refuses(&[&COMPILE[..], &pack, recall, &["--workspace", name]].concat(), 1, code, "");
        }
    }
}

/// Memory that a workspace has recorded is recalled under it, and not outside of it.
#[test]
fn memory_is_that_of_the_workspace() {
    let p = project();
    p.write("proposal.json", crate::memory::proposal(json!({})));
    let propose = ["memory", "propose", "proposal.json", "--pack", "ctxpack.support@1.0.0", "--actor", "agent"];
    p.ok(&[&propose[..], &["--now", "2026-05-01T09:00:00Z"]].concat());
    let recalled = |more: &[&str]| {
        let pack = ["--pack", "ctxpack.support@1.0.0", "--recall"];
        let compiled = data(&p, &[&COMPILE[..], &pack, more].concat());
        compiled["context_ledger"]["memory"].as_array().unwrap().len()
    };
    p.ok(&["workspace", "new", "other"]);
    assert_eq!((recalled(&[]), recalled(&["--workspace", "desk"])), (1, 1));
    assert_eq!((recalled(&["--no-workspace"]), recalled(&["--workspace", "other"])), (0, 0));
}
