//! Interpreters, started so that nothing of the caller reaches them.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The time that a parser may take for all code of a plan.
const LONGEST: Duration = Duration::from_secs(60);
/// The interval at which a running parser is polled.
const LOOK: Duration = Duration::from_millis(5);

/// Finds a program by the absolute folders of the path. A script of a version manager is followed to the program that
/// it stands for: without an environment it could not find it itself.
pub(super) fn find(name: &str) -> Result<PathBuf, String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let usual = ["/usr/local/bin", "/usr/bin", "/bin"].map(PathBuf::from);
    let folders = std::env::split_paths(&path).chain(usual).filter(|folder| folder.is_absolute());
    folders
        .filter_map(|folder| program(&folder, name))
        .next()
        .ok_or_else(|| format!("no `{name}` is installed where the path leads"))
}

fn program(folder: &Path, name: &str) -> Option<PathBuf> {
    let file = folder.join(name);
    if !is_script(&file)? {
        return Some(file);
    }
    // `<root>/shims/python3` of pyenv and its kin stands for `<root>/versions/<version>/bin/python3`.
    let root = folder.parent().filter(|_| folder.ends_with("shims"))?;
    let versions = std::fs::read_to_string(root.join("version")).ok()?;
    let mut real = versions.lines().map(|version| root.join("versions").join(version.trim()).join("bin").join(name));
    real.find(|file| is_script(file) == Some(false))
}

/// Returns whether a file is a script instead of a program; none if it cannot be read.
fn is_script(file: &Path) -> Option<bool> {
    let mut start = [0; 2];
    let mut opened = std::fs::File::open(file).ok()?;
    opened.metadata().ok().filter(std::fs::Metadata::is_file)?;
    opened.read_exact(&mut start).ok()?;
    Some(start == *b"#!")
}

/// The output of a program.
pub(super) struct Printed {
    pub(super) out: Vec<u8>,
    pub(super) err: Vec<u8>,
    pub(super) ended_well: bool,
}

/// Runs a program in `/` with an empty environment, and hands it a text by standard input.
pub(super) fn run(program: &Path, args: &[&str], input: &[u8]) -> Result<Printed, String> {
    let failed = |error: std::io::Error| format!("`{}` cannot be run: {error}", program.display());
    let mut command = Command::new(program);
    command.args(args).env_clear().current_dir("/");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(failed)?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    std::thread::scope(|scope| {
        // A parser that stops reading closes its end; what it printed then says why.
        scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(input)));
        let out = scope.spawn(move || whole(stdout));
        let err = scope.spawn(move || whole(stderr));
        let ended = wait(&mut child).map_err(failed);
        // Without what it printed, a parser that found mistakes would look like one that found none.
        let unread = |_| format!("what `{}` printed could not be read", program.display());
        let (out, err) = (out.join().map_err(unread)?, err.join().map_err(unread)?);
        match ended? {
            Some(ended_well) => Ok(Printed { out, err, ended_well }),
            None => Err(format!("`{}` took longer than {} seconds", program.display(), LONGEST.as_secs())),
        }
    })
}

fn whole(stream: Option<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut stream) = stream {
        // What was read until an error is all there is.
        let _ = stream.read_to_end(&mut bytes);
    }
    bytes
}

/// Waits for a program, and ends one that takes too long; none for such a one.
fn wait(child: &mut Child) -> std::io::Result<Option<bool>> {
    let began = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status.success()));
        }
        if began.elapsed() > LONGEST {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(LOOK);
    }
}
