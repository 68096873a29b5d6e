//! The Python interpreter that installs the engine, and what it runs.
//!
//! Programs from an index get no variable of Deed: secrets may be among them.

use crate::conceal;
use crate::error::AppError;
use deed_diag::{Diagnostic, codes, quote};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The oldest Python that the engine's package takes.
const OLDEST: &str = "3.10";
const IS_NEW_ENOUGH: &str = "import sys; sys.exit(0 if sys.version_info >= (3, 10) else 1)";
const HAS_VENV: &str = "import venv, ensurepip";
/// The characters that are kept of what a program says about its failure.
const LONGEST_REASON: usize = 400;

/// An interpreter that can make virtual environments.
#[derive(Debug)]
pub(super) struct Python {
    path: PathBuf,
}

impl Python {
    /// Takes the interpreter that was named, or `python3`.
    ///
    /// # Errors
    /// There is none, it is too old, or it cannot make virtual environments.
    pub(super) fn find(named: Option<&Path>) -> Result<Self, AppError> {
        let path = named.unwrap_or(Path::new("python3")).to_owned();
        let shown = quote(&path.display().to_string());
        let missing = |message: String| {
            let help = format!(
                "install Python {OLDEST} or later (`apt-get install python3 python3-venv`), or name one by `--python FILE`"
            );
            AppError::environment(Diagnostic::error(codes::PYTHON_MISSING, message).stage("model").help(help))
        };
        match run(&path, &["-I", "-c", IS_NEW_ENOUGH]) {
            Err(error) => return Err(missing(format!("{shown} cannot be run: {error}"))),
            Ok(out) if !out.status.success() => {
                return Err(missing(format!("{shown} is no Python {OLDEST} or later")));
            }
            Ok(_) => {}
        }
        let own = Self { path };
        match run(&own.path, &["-I", "-c", HAS_VENV]) {
            Ok(out) if out.status.success() => Ok(own),
            _ => Err(no_venv(&format!("{shown} has no `venv` and `ensurepip`"))),
        }
    }

    /// Makes a virtual environment in a folder that is not there.
    pub(super) fn environment(&self, folder: &Path) -> Result<Environment, AppError> {
        let args = [OsStr::new("-I"), OsStr::new("-m"), OsStr::new("venv"), folder.as_os_str()];
        match run(&self.path, &args) {
            Ok(out) if out.status.success() => Ok(Environment::at(folder)),
            Ok(out) => Err(no_venv(&format!("the virtual environment cannot be made: {}", reason(&out)))),
            Err(error) => Err(no_venv(&format!("the virtual environment cannot be made: {error}"))),
        }
    }
}

fn no_venv(message: &str) -> AppError {
    let help = "install it (`apt-get install python3-venv`), or name another Python by `--python FILE`";
    AppError::environment(Diagnostic::error(codes::PYTHON_VENV_MISSING, message).stage("model").help(help))
}

/// A virtual environment.
#[derive(Debug)]
pub(super) struct Environment {
    python: PathBuf,
}

impl Environment {
    /// The environment of a folder.
    pub(super) fn at(folder: &Path) -> Self {
        Self { python: folder.join("bin/python") }
    }

    /// Its interpreter.
    pub(super) fn python(&self) -> &Path {
        &self.python
    }

    /// Returns true if a module can be imported.
    pub(super) fn imports(&self, module: &str) -> Result<(), String> {
        match run(&self.python, &["-I", "-c", &format!("import {module}")]) {
            Ok(out) if out.status.success() => Ok(()),
            Ok(out) => Err(reason(&out)),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Runs pip as the user has configured it.
    ///
    /// # Errors
    /// It ended with an error, in its own words.
    pub(super) fn pip(&self, args: &[&OsStr]) -> Result<(), String> {
        let whole: Vec<&OsStr> =
            [OsStr::new("-m"), OsStr::new("pip")].into_iter().chain(args.iter().copied()).collect();
        match run(&self.python, &whole) {
            Ok(out) if out.status.success() => Ok(()),
            Ok(out) => Err(reason(&out)),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// Takes the variables of Deed from a command.
pub(super) fn without_ours(command: &mut Command) {
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.as_encoded_bytes().starts_with(b"DEED_")) {
        command.env_remove(name);
    }
}

fn run(program: &Path, args: &[impl AsRef<OsStr>]) -> std::io::Result<Output> {
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::null()).env("PIP_DISABLE_PIP_VERSION_CHECK", "1").env("PIP_NO_INPUT", "1");
    without_ours(&mut command);
    command.output()
}

/// What a program says about its failure: its last lines that name an error, without the credentials of addresses.
fn reason(out: &Output) -> String {
    let text = String::from_utf8_lossy(&out.stderr);
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let errors: Vec<&str> =
        lines.iter().copied().filter(|line| line.contains("ERROR") || line.contains("Error")).collect();
    let told = if errors.is_empty() { lines } else { errors };
    let last: Vec<String> = told.iter().rev().take(2).rev().map(|line| without_users(line)).collect();
    let whole: String = last.join("; ").chars().take(LONGEST_REASON).collect();
    match (whole.is_empty(), out.status.code()) {
        (false, _) => conceal::text(&whole).into_owned(),
        (true, Some(code)) => format!("it ended with {code}"),
        // An instruction that the processor lacks ends a program so.
        (true, None) => format!("it was ended by a signal ({})", out.status),
    }
}

/// Replaces the user and the password of each address in a text.
pub(super) fn without_users(text: &str) -> String {
    let mut parts = text.split("://");
    let mut whole = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| c == '/' || c.is_whitespace()).unwrap_or(part.len());
        let (authority, rest) = part.split_at(end);
        let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
        whole.extend(["://", host, rest]);
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_lose_their_users() {
        let check = |text: &str, expected: &str| assert_eq!(without_users(text), expected);
        check("ERROR: see https://ada:pass@host.test/simple/x", "ERROR: see https://host.test/simple/x");
        check("a http://h/p@q and https://t@h", "a http://h/p@q and https://h");
        check("no address", "no address");
    }
}
