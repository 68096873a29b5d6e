//! The small clients that code finds beside itself. Anything that speaks HTTP over a Unix socket will do as well.

use std::fs;
use std::io;
use std::path::Path;

const PYTHON: &str = include_str!("../../clients/deed.py");
const NODE: &str = include_str!("../../clients/deed.mjs");

/// Writes the clients into a folder.
pub(crate) fn write_clients(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join("deed.py"), PYTHON)?;
    fs::write(folder.join("deed.mjs"), NODE)
}
