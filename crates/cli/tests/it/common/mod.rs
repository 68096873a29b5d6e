//! A project in a temporary folder, and the `deed` command run in it.

pub(crate) mod billing;
pub(crate) mod console;
pub(crate) mod walk;

pub(crate) mod schemas;

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

pub(crate) const SUPPORT: &str = include_str!("../../../../../packs/support/pack.yaml");
const STAGING: &str = include_str!("../../../../../packs/support/overlays/staging.yaml");
const HIGH_RISK: &str = include_str!("../../../../../packs/support/overlays/high_risk.yaml");

pub(crate) struct Project {
    folder: tempfile::TempDir,
}

pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Project {
    /// An empty folder.
    pub(crate) fn bare() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// The support pack as a draft, and no registry.
    pub(crate) fn draft() -> Self {
        let p = Self::bare();
        p.write("support/pack.yaml", SUPPORT);
        p.write("support/overlays/staging.yaml", STAGING);
        p.write("support/overlays/high_risk.yaml", HIGH_RISK);
        p
    }

    /// A registry, a trusted key and the support pack as a draft.
    pub(crate) fn new() -> Self {
        let p = Self::draft();
        p.ok(&["init", "--tenant", "tenant_acme_prod"]);
        p.ok(&["registry", "policy", "set", "--allow-self-review", "--reason", "one person"]);
        p.ok(&["keys", "generate", "acme"]);
        let roles = ["--role", "architecture", "--role", "security", "--role", "data", "--role", "evaluation"];
        p.ok(&[&["keys", "trust", "acme", "--issuer", "tenant_acme_prod", "--sign"][..], &roles].concat());
        p
    }

    pub(crate) fn linted() -> Self {
        let p = Self::new();
        p.ok(&["pack", "lint", "support"]);
        p
    }

    pub(crate) fn signed() -> Self {
        let p = Self::linted();
        p.review_all();
        p.ok(&["pack", "sign", "support", "--key", "acme", "--out", "proof/signature.json"]);
        p
    }

    pub(crate) fn published() -> Self {
        let p = Self::signed();
        p.ok(&["pack", "publish", "support"]);
        p
    }

    pub(crate) fn review_all(&self) {
        let roles = ["--role", "architecture", "--role", "security", "--role", "data", "--role", "evaluation"];
        self.ok(&[&["pack", "review", "support", "--key", "acme", "--out", "proof"][..], &roles].concat());
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// The support pack without overlays, edited, as a single file.
    pub(crate) fn edit(&self, name: &str, edits: &[(&str, &str)]) {
        let start = SUPPORT.find("  overlays:\n").unwrap();
        let end = SUPPORT.find("\nintelligence_refs:").unwrap();
        let mut text = SUPPORT.replace(SUPPORT.get(start..end).unwrap(), "#\n#\n#\n");
        for (find, replace) in edits {
            assert!(text.contains(find), "{find}");
            text = text.replacen(find, replace, 1);
        }
        self.write(name, text);
    }

    pub(crate) fn edit_in_place(&self, name: &str, edits: &[(&str, &str)]) {
        let mut text = std::fs::read_to_string(self.path(name)).unwrap();
        for (find, replace) in edits {
            text = text.replace(find, replace);
        }
        self.write(name, text);
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_deed"));
        command
            .args(args)
            .current_dir(self.folder.path())
            .env_remove("DEED_HOME")
            .env_remove("COLUMNS")
            .env("DEED_ACTOR", "tester")
            .env("DEED_NOW", "2026-11-15T00:00:00Z")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        ran(&self.command(args).output().unwrap())
    }

    pub(crate) fn shell(&self, script: &str) -> Ran {
        let out = Command::new("bash")
            .args(["-c", script])
            .current_dir(self.folder.path())
            .env_remove("DEED_HOME")
            .env_remove("COLUMNS")
            .output()
            .unwrap();
        ran(&out)
    }

    /// Must succeed.
    #[track_caller]
    pub(crate) fn ok(&self, args: &[&str]) -> Ran {
        let out = self.run(args);
        assert_eq!(out.code, 0, "deed {}\n{}{}", args.join(" "), out.stdout, out.stderr);
        out
    }

    /// Must succeed, its data going into a file.
    #[track_caller]
    pub(crate) fn ok_to(&self, name: &str, args: &[&str]) {
        let out = self.ok(args);
        self.write(name, out.stdout);
    }

    /// Must be refused with a code and with some words in what it says.
    #[track_caller]
    pub(crate) fn refuses(&self, args: &[&str], exit: i32, code: &str, says: &str) -> Ran {
        let out = self.run(args);
        let told = out.stderr.contains(&format!("[{code}]")) && out.stderr.contains(says);
        assert!(out.code == exit && told, "deed {}: exit {}\n{}{}", args.join(" "), out.code, out.stdout, out.stderr);
        out
    }

    /// The one JSON document that `--json` prints.
    #[track_caller]
    pub(crate) fn json(&self, args: &[&str]) -> serde_json::Value {
        let out = self.run(&[args, &["--json"]].concat());
        let document = serde_json::from_str(&out.stdout).unwrap_or_else(|e| panic!("{e}: {}", out.stdout));
        schemas::holds(args, &document);
        document
    }
}

fn ran(out: &Output) -> Ran {
    Ran {
        code: out.status.code().unwrap_or(-1),
        stdout: String::from_utf8_lossy(&out.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&out.stderr).into_owned(),
    }
}
