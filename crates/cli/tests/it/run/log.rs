//! The log: what a run does, with the ids of run and step on every line, and without anything that is secret.

use super::egress::{RUN, SECRET, ask, secret};
use crate::common::Project;
use crate::common::billing::Api;
use serde_json::Value;

/// Words that code puts wherever it can. No rule for secrets knows them, so that no search could take them out.
const PLANTED: &str = "purple-monkey-dishwasher";

/// A run that was logged, and its log.
fn logged(p: &Project, id: &str, more: &[&str]) -> String {
    let args = [&RUN[..], &["--id", id, "--log", "trace", "--log-file", "log"], more].concat();
    p.run(&args);
    let log = std::fs::read_to_string(p.path("log")).unwrap();
    std::fs::remove_file(p.path("log")).unwrap();
    log
}

/// A project whose code calls, fetches, reports and prints the planted words.
fn planted(api: &Api) -> Project {
    let code = format!(
        "import json, deed\n        \
         print('{PLANTED}')\n        \
         deed.progress(1, 2, '{PLANTED}')\n        \
         for tool, arguments in [('{PLANTED}', {{}}), ('http.fetch', {{'url': 'http://api.example.test:PORT/{PLANTED}?{PLANTED}'}}),\n        \
         \u{20}       ('http.fetch', {{'url': 'http://api.example.test:PORT/v1/corrections?{PLANTED}', 'headers': {{'x': '{PLANTED}'}}}})]:\n        \
         \u{20}   try: deed.call(tool, arguments)\n        \
         \u{20}   except deed.CallFailed: pass\n        \
         from deed import fetch"
    );
    let p = ask(api, &[("import json\n        from deed import fetch", &code)]);
    secret(&p, 0o600);
    p
}

#[test]
fn every_part_of_a_run_is_logged_with_its_ids_and_nothing_secret_is() {
    let api = Api::start();
    let p = planted(&api);
    for format in ["text", "json"] {
        let log = logged(&p, format, &["--log-format", format]);
        assert!(!log.contains(SECRET), "{log}");
        assert!(!log.contains(PLANTED), "{log}");
        for span in ["submit", "drive", "run", "step", "attempt", "harness", "call", "egress", "transaction", "sandbox"]
        {
            assert!(log.contains(span), "{span}: {log}");
        }
        for harness in ["prepare", "materialize", "project", "preflight", "verify_inputs", "execute", "persist"] {
            assert!(log.contains(harness), "{harness}: {log}");
        }
        if format == "json" {
            json_lines_have_ids(&log);
        }
    }
}

/// Every line is JSON, and every span of a run names the run, and the step where it is in one.
fn json_lines_have_ids(log: &str) {
    let mut steps = 0;
    for line in log.lines() {
        let line: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        for span in line["spans"].as_array().into_iter().flatten().chain([&line["span"]]) {
            let name = span["name"].as_str().unwrap_or_default();
            if ["run", "step", "attempt", "harness", "call", "egress", "drive"].contains(&name) {
                assert_eq!(span["run"], "json", "{line}");
            }
            if ["step", "attempt", "harness", "call", "egress"].contains(&name) {
                assert_eq!(span["step"], "ask", "{line}");
                steps += 1;
            }
        }
    }
    assert!(steps > 20, "{steps}");
}

#[test]
fn nothing_is_logged_unless_it_is_asked_for() {
    let api = Api::start();
    let p = planted(&api);
    let quiet = p.run(&[&RUN[..], &["--id", "quiet"]].concat());
    assert!(!quiet.stderr.contains("deed_"), "{}", quiet.stderr);
    let off = p.run(&[&RUN[..], &["--id", "off", "--log", "off", "--log-file", "log"]].concat());
    assert!(!off.stderr.contains("deed_"), "{}", off.stderr);
    assert!(!p.path("log").exists());
}

#[test]
fn the_log_goes_to_stderr_by_level_or_filter() {
    let api = Api::start();
    let p = planted(&api);
    let out = p.command(&[&RUN[..], &["--id", "a"]].concat()).env("DEED_LOG", "deed_egress=debug").output().unwrap();
    let stderr = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(stderr.contains("deed_egress::gateway"), "{stderr}");
    assert!(!stderr.contains("deed_runtime"), "{stderr}");
    let info = p.run(&[&RUN[..], &["--id", "b", "--log", "info"]].concat());
    assert!(info.stderr.contains("attempt ended end=\"succeeded\""), "{}", info.stderr);
    assert!(!info.stderr.contains("DEBUG"), "{}", info.stderr);
}

#[test]
fn a_log_that_makes_no_sense_is_refused() {
    let p = Project::bare();
    for (args, says) in [
        (&["--log", "bogus", "explain", "D0001"][..], "`bogus` is not a level; write a level (error, warn, info"),
        (&["--log", "deed=loud", "explain", "D0001"], "write a level (error, warn, info, debug, trace, off)"),
        (&["--log-file", "log", "explain", "D0001"], "`--log-file` is given, and nothing is logged"),
        (&["--log-format", "json", "explain", "D0001"], "`--log-format` is given, and nothing is logged"),
        (&["--log", "info", "--log-format", "xml", "explain", "D0001"], "invalid value 'xml'"),
    ] {
        let out = p.run(args);
        assert_eq!(out.code, 2, "{args:?}: {}", out.stderr);
        assert!(out.stderr.contains(says), "{args:?}: {}", out.stderr);
    }
    let out = p.run(&["--log", "info", "--log-file", "missing/log", "explain", "D0001"]);
    assert_eq!(out.code, 3, "{}", out.stderr);
    assert!(out.stderr.contains("the log cannot be written"), "{}", out.stderr);
}
