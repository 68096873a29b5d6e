//! Real clients, unmodified: urllib, requests, pip and curl, with nothing but a proxy and an authority in their
//! environment. Whatever is missing on this machine is skipped with a word on stderr.

use crate::common::{Plan, Served, World, rule};
use base64::Engine;
use deed_canon::ContentHash;
use deed_model::{EgressRule, EgressVerdict};
use deed_testkit::loopback::{Authority, ReceivedRequest, Server, text};
use http::Response;
use http_body_util::Full;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tokio::net::{TcpListener, UnixStream};

const API: &str = "api.example.test";
const PYPI: &str = "pypi.example.test";

/// The path of a Python with `requests`, if the one on the path has none.
const PYTHON: &str = "DEED_TEST_PYTHON";

/// The forwarder inside a sandbox: a port on the loopback that leads to the socket of the proxy.
async fn forwarder(socket: PathBuf) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut near, _)) = listener.accept().await {
            let socket = socket.clone();
            tokio::spawn(async move {
                if let Ok(mut far) = UnixStream::connect(socket).await {
                    let _ = tokio::io::copy_bidirectional(&mut near, &mut far).await;
                }
            });
        }
    });
    port
}

struct Inside {
    served: Served,
    port: u16,
    bundle: PathBuf,
}

impl Inside {
    async fn new(world: &World) -> Self {
        let served = world.serve();
        let bundle = served.folder.path().join("ca.pem");
        std::fs::write(&bundle, served.ca.pem()).unwrap();
        let port = forwarder(served.socket.clone()).await;
        Self { served, port, bundle }
    }

    fn folder(&self) -> &Path {
        self.served.folder.path()
    }

    /// Runs a client with an environment of its own; none if there is no such client.
    async fn run(&self, program: &str, arguments: &[&str]) -> Option<Output> {
        let proxy = format!("http://127.0.0.1:{}", self.port);
        let mut command = Command::new(program);
        command.args(arguments).env_clear().env("HOME", self.folder()).env("PATH", std::env::var_os("PATH").unwrap());
        if let Some(root) = std::env::var_os("PYENV_ROOT") {
            command.env("PYENV_ROOT", root);
        }
        for name in ["http_proxy", "https_proxy", "HTTPS_PROXY"] {
            command.env(name, &proxy);
        }
        for name in ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "PIP_CERT", "CURL_CA_BUNDLE"] {
            command.env(name, &self.bundle);
        }
        let started = tokio::task::spawn_blocking(move || command.output()).await.unwrap();
        match started {
            Ok(output) => Some(output),
            Err(error) => {
                eprintln!("skipped: `{program}` cannot be started: {error}");
                None
            }
        }
    }
}

fn shown(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn python() -> String {
    std::env::var(PYTHON).unwrap_or_else(|_| "python3".to_owned())
}

async fn api(authority: &Authority) -> (Server, World) {
    let server =
        Server::tls(authority, &[API], |seen: &ReceivedRequest| text(200, format!("{} {}", seen.method, seen.target)));
    let only = EgressRule { paths: vec!["/v1/*".to_owned()], ..rule(API, &server) };
    let world = Plan::new(vec![only]).build(authority);
    (server, world)
}

#[tokio::test(flavor = "multi_thread")]
async fn urllib_is_allowed_and_denied_by_path_method_and_host() {
    let authority = Authority::new();
    let (server, world) = api(&authority).await;
    let inside = Inside::new(&world).await;
    let script = r#"
import sys, urllib.request, urllib.error
base = sys.argv[1]
def ask(method, url, data=None):
    try:
        with urllib.request.urlopen(urllib.request.Request(url, method=method, data=data)) as answer:
            print(answer.status, answer.read().decode())
    except urllib.error.HTTPError as error:
        print(error.code, error.headers["deed-egress"], error.reason)
    except urllib.error.URLError as error:
        print("failed", error.reason)
ask("GET", base + "/v1/rates?a=b")
ask("GET", base + "/v2/rates")
ask("POST", base + "/v1/rates", b"data")
ask("GET", "https://denied.example.test/")
"#;
    let Some(output) = inside.run(&python(), &["-c", script, &server.url(API, "")]).await else { return };
    let said = shown(&output);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 4, "{said}");
    assert_eq!(lines[0], "200 GET /v1/rates?a=b");
    assert!(lines[1].starts_with("403 denied; reason=path_not_listed deed: no egress rule for"), "{said}");
    assert!(lines[2].starts_with("403 denied; reason=method_not_listed deed: no egress rule for"), "{said}");
    assert!(lines[3].contains("403 deed: no egress rule has https://denied.example.test:443"), "{said}");
    use EgressVerdict::{Allowed, HostNotListed, MethodNotListed, PathNotListed};
    assert_eq!(world.book.inner_verdicts(), [Allowed, PathNotListed, MethodNotListed, HostNotListed]);
    assert_eq!(server.seen().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_is_allowed_and_denied() {
    let authority = Authority::new();
    let (server, world) = api(&authority).await;
    let inside = Inside::new(&world).await;
    let script = r#"
import sys
try:
    import requests
except ImportError:
    try:
        from pip._vendor import requests
    except ImportError:
        print("no requests"); sys.exit()
base = sys.argv[1]
with requests.Session() as session:
    for method, path in [("GET", "/v1/a"), ("GET", "/v1/b"), ("GET", "/v1/%2e%2e/c"), ("PUT", "/v1/a")]:
        answer = session.request(method, base + path, data=b"x" if method == "PUT" else None)
        print(answer.status_code, answer.headers.get("deed-egress"), answer.text.splitlines()[0])
try:
    requests.get("https://denied.example.test/")
except requests.exceptions.ProxyError as error:
    print("ProxyError", "deed: no egress rule has https://denied.example.test:443" in str(error))
"#;
    let Some(output) = inside.run(&python(), &["-c", script, &server.url(API, "")]).await else { return };
    let said = shown(&output);
    if said.contains("no requests") {
        eprintln!("skipped: this Python has no `requests`; name one that has by {PYTHON}");
        return;
    }
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 5, "{said}");
    assert_eq!(lines[..2], ["200 None GET /v1/a", "200 None GET /v1/b"]);
    assert!(lines[2].starts_with("403 denied; reason=path_not_listed deed: "), "{said}");
    assert!(lines[3].starts_with("403 denied; reason=method_not_listed deed: "), "{said}");
    assert_eq!(lines[4], "ProxyError True");
    assert_eq!(server.seen().len(), 2);
}

/// The smallest wheel that pip takes.
const WHEEL: &str = "demo-1.0-py3-none-any.whl";

fn wheel_script() -> &'static str {
    r#"
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w") as wheel:
    wheel.writestr("demo.py", "answer = 42\n")
    wheel.writestr("demo-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: demo\nVersion: 1.0\n")
    wheel.writestr("demo-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
    wheel.writestr("demo-1.0.dist-info/RECORD", "demo.py,,\ndemo-1.0.dist-info/METADATA,,\ndemo-1.0.dist-info/WHEEL,,\ndemo-1.0.dist-info/RECORD,,\n")
"#
}

async fn index(authority: &Authority, wheel: Vec<u8>) -> Server {
    let digest = ContentHash::of_bytes(&wheel).hex();
    Server::tls(authority, &[PYPI], move |seen| match seen.target.as_str() {
        "/simple/demo/" => {
            let page = format!("<!DOCTYPE html><a href=\"/files/{WHEEL}#sha256={digest}\">{WHEEL}</a>");
            Response::builder().header("content-type", "text/html").body(Full::from(page)).unwrap()
        }
        path if path == format!("/files/{WHEEL}") => Response::new(Full::from(wheel.clone())),
        _ => text(404, ""),
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn pip_downloads_what_the_rules_allow_and_no_more() {
    let authority = Authority::new();
    let folder = tempfile::tempdir().unwrap();
    let made = folder.path().join(WHEEL);
    let script = ["-c", wheel_script(), made.to_str().unwrap()];
    match Command::new(python()).args(script).output() {
        Ok(output) => assert!(output.status.success(), "{}", shown(&output)),
        Err(error) => return eprintln!("skipped: there is no Python: {error}"),
    }
    let wheel = std::fs::read(&made).unwrap();
    let server = index(&authority, wheel.clone()).await;
    for (paths, allowed) in [(["/simple/*", "/files/*"].as_slice(), true), (&["/simple/*"], false)] {
        let paths = paths.iter().map(|path| (*path).to_owned()).collect();
        let world = Plan::new(vec![EgressRule { paths, ..rule(PYPI, &server) }]).build(&authority);
        let inside = Inside::new(&world).await;
        let (url, into) = (server.url(PYPI, "/simple"), inside.folder().join("down"));
        let options = ["-m", "pip", "download", "--no-cache-dir", "--disable-pip-version-check", "--retries", "0"];
        let arguments =
            [&options[..], &["--index-url", &url, "demo", "--no-deps", "-d", into.to_str().unwrap()]].concat();
        let output = inside.run(&python(), &arguments).await.unwrap();
        let said = shown(&output);
        if said.contains("No module named pip") {
            return eprintln!("skipped: this Python has no pip; name one that has by {PYTHON}");
        }
        assert_eq!(output.status.success(), allowed, "{said}");
        if allowed {
            assert_eq!(std::fs::read(into.join(WHEEL)).unwrap(), wheel);
            assert!(world.book.inner_verdicts().iter().all(|verdict| *verdict == EgressVerdict::Allowed));
        } else {
            assert!(said.contains("deed: no egress rule for") && said.contains(WHEEL), "{said}");
            assert_eq!(world.book.last().verdict, EgressVerdict::PathNotListed);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn curl_is_allowed_and_denied() {
    let authority = Authority::new();
    let (server, world) = api(&authority).await;
    let plain = Server::plain(|seen| text(200, format!("plain {}", seen.body.len())));
    let mut rules = vec![rule(API, &plain)];
    rules[0].methods = vec!["POST".to_owned()];
    let plain_world = Plan::new(rules).build(&authority);
    let inside = Inside::new(&world).await;
    let ask = ["-sS", "--path-as-is", "-w", " %{http_code}"];
    let run =
        async |inside: &Inside, more: &[&str]| Some(shown(&inside.run("curl", &[&ask[..], more].concat()).await?));
    let Some(said) = run(&inside, &[&server.url(API, "/v1/x"), &server.url(API, "/v1/y")]).await else { return };
    assert_eq!(said, "GET /v1/x 200GET /v1/y 200");
    let said = run(&inside, &[&server.url(API, "/v1/../v2")]).await.unwrap();
    assert!(said.contains("has the path `/v2`") && said.ends_with(" 403"), "{said}");
    let said = run(&inside, &["-X", "DELETE", &server.url(API, "/v1/x")]).await.unwrap();
    assert!(said.contains("has the method `DELETE`"), "{said}");
    let said = run(&inside, &["https://denied.example.test/"]).await.unwrap();
    assert!(said.contains("403"), "{said}");
    // A body that is long enough for curl to ask first, and one in chunks.
    let outside = Inside::new(&plain_world).await;
    let body = outside.folder().join("body");
    std::fs::write(&body, vec![b'x'; 2 << 20]).unwrap();
    let data = format!("@{}", body.display());
    for header in ["X-None: 1", "Transfer-Encoding: chunked"] {
        let said = run(&outside, &["-H", header, "--data-binary", &data, &plain.url(API, "/")]).await.unwrap();
        assert_eq!(said, format!("plain {} 200", 2 << 20), "{header}");
    }
}

#[test]
fn the_authority_is_one_pem_text() {
    let ca = deed_egress::RunCa::generate(std::time::SystemTime::UNIX_EPOCH).unwrap();
    let lines: Vec<&str> = ca.pem().lines().collect();
    assert_eq!((lines[0], lines[lines.len() - 1]), ("-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----"));
    let body = lines[1..lines.len() - 1].concat();
    assert!(base64::engine::general_purpose::STANDARD.decode(body).is_ok());
    assert!(!format!("{ca:?}").contains("KEY"));
}
