//! Code that looks for a network it was not given is told which fact of its contract says so.

use super::example::{RUN, changed, ends, tally};

#[test]
fn a_step_without_egress_says_why_there_is_no_network() {
    let p = tally();
    for (code, words) in [
        ("import urllib.request; urllib.request.urlopen('http://api.example.test/')", "no `egress` rule and no"),
        ("import socket; socket.create_connection(('127.0.0.1', 9))", "no `egress` rule and no"),
        // A filter refuses the connection, and the error is the one for a file that may not be read.
        ("import errno; raise PermissionError(errno.EACCES, 'connect')", "no `egress` rule and no"),
    ] {
        changed(&p, "tally.yaml", &[("import csv, json", code)]);
        let id = format!("--id=r{}", code.len());
        let says = [words, "`tool_needs: [http.fetch]`", "reaches no network", "`deed run --learn-egress`"];
        ends(&p, &[&RUN[..], &[&id]].concat(), 1, &says);
    }
    // Words of the network in what code prints decide nothing.
    changed(&p, "tally.yaml", &[("import csv, json", "raise ValueError('connection refused: getaddrinfo')")]);
    let out = ends(&p, &[&RUN[..], &["--id", "words"]].concat(), 1, &["connection refused"]);
    assert!(!out.stdout.contains("reaches no network"), "{}", out.stdout);
    // Errors of the system that are not about a connection are not explained by it.
    let others = [
        "raise OSError(5, 'Input/output error')",
        "raise TimeoutError('the other thread')",
        "raise MemoryError()",
        "raise PermissionError(1, 'Operation not permitted')",
        "raise OSError('no words')",
        "import http.client; raise http.client.InvalidURL('a b')",
    ];
    for (place, code) in others.into_iter().enumerate() {
        changed(&p, "tally.yaml", &[("import csv, json", code)]);
        let out = ends(&p, &[&RUN[..], &[&format!("--id=other{place}")]].concat(), 1, &[]);
        assert!(!out.stdout.contains("reaches no network"), "{code}: {}", out.stdout);
    }
    // Any other failure is not explained by it.
    changed(&p, "tally.yaml", &[("import csv, json", "raise SystemExit(3)")]);
    let out = ends(&p, &[&RUN[..], &["--id", "plain"]].concat(), 1, &["exit code 3"]);
    assert!(!out.stdout.contains("reaches no network"), "{}", out.stdout);
}
