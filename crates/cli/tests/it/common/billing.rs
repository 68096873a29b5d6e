//! The billing example, and the billing system that it talks to, on a port of their own.
//!
//! The plan and one of its programs name the port 18080. Tests run at the same time, so each has its own port in a copy
//! of the example. The hash of the plan moves with it; the files that come out do not.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The port that the example names.
pub(crate) const PORT: &str = "18080";

/// The mock billing system, which ends with this value.
pub(crate) struct Api {
    child: Child,
    pub(crate) port: u16,
}

impl Api {
    /// Starts it on a free port, and waits until it listens.
    pub(crate) fn start() -> Self {
        let mut child = Command::new("python3")
            .arg(root().join("examples/billing/mock_api.py"))
            .args(["--port", "0"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let port = line.split("127.0.0.1:").nth(1).and_then(|rest| rest.split('/').next()).unwrap().parse().unwrap();
        Self { child, port }
    }

    /// Its record: effects, keys that came again, and refusals.
    pub(crate) fn did(&self) -> (u64, u64, u64) {
        let listing = self.get("/v1/corrections");
        let count = |name: &str| listing.get(name).and_then(serde_json::Value::as_u64).unwrap();
        (count("effects"), count("repeated_keys"), count("refused"))
    }

    fn get(&self, path: &str) -> serde_json::Value {
        use std::io::{Read as _, Write as _};
        let mut stream = std::net::TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
    }
}

impl Drop for Api {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Copies the example, its port changed wherever it is named.
pub(crate) fn example(target: &Path, port: u16) {
    copy(&root().join("examples/billing"), target, port);
}

fn copy(from: &Path, to: &Path, port: u16) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target, port);
        } else {
            let text = std::fs::read_to_string(&path).unwrap();
            std::fs::write(target, text.replace(PORT, &port.to_string())).unwrap();
        }
    }
}
