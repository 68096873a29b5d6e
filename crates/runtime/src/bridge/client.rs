//! The small clients that code finds beside itself. Anything that speaks HTTP over a Unix socket will do as well.

use std::fs;
use std::io;
use std::path::Path;

const PYTHON: &str = include_str!("../../clients/deed.py");
const NODE: &str = include_str!("../../clients/deed.mjs");
/// Python imports a module of this name before the program.
const PYTHON_HOOK: &str = include_str!("../../clients/sitecustomize.py");
const PYTHON_RUNNER_TEXT: &str = include_str!("../../clients/_deed_main.py");
/// The file that runs a program in Python under the name of its author's file.
pub(crate) const PYTHON_RUNNER: &str = "_deed_main.py";
const NODE_HOOK_TEXT: &str = include_str!("../../clients/ended.cjs");
/// The file that Node loads before the program.
pub(crate) const NODE_HOOK: &str = "ended.cjs";

/// Writes the clients into a folder.
pub(crate) fn write_clients(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join("deed.py"), PYTHON)?;
    fs::write(folder.join("sitecustomize.py"), PYTHON_HOOK)?;
    fs::write(folder.join(PYTHON_RUNNER), PYTHON_RUNNER_TEXT)?;
    fs::write(folder.join(NODE_HOOK), NODE_HOOK_TEXT)?;
    fs::write(folder.join("deed.mjs"), NODE)
}
