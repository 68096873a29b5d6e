//! Finds bubblewrap and its version.

use super::ProbeOptions;
use crate::helper::isolated;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The paths that are searched. `PATH` is not used: it would let the environment choose the sandbox.
const PLACES: &[&str] = &["/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap"];

/// The oldest version that has all used options.
const OLDEST: (u32, u32) = (0, 8);

/// Bubblewrap.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bwrap {
    /// Its path.
    pub path: PathBuf,
    /// Its version.
    pub version: String,
}

pub(super) fn found(options: &ProbeOptions) -> Result<Bwrap, String> {
    if options.without_bwrap {
        return Err("left out on request".to_owned());
    }
    let place = PLACES.iter().map(Path::new).find(|place| place.is_file());
    let path = place.ok_or("bubblewrap is not installed")?;
    let output = isolated(path).arg("--version").output();
    let output = output.map_err(|error| format!("`{}` cannot be started: {error}", path.display()))?;
    let said = String::from_utf8_lossy(&output.stdout);
    let version = said.split_whitespace().last().unwrap_or_default().to_owned();
    match numbers(&version) {
        Some(numbers) if numbers >= OLDEST => Ok(Bwrap { path: path.to_owned(), version }),
        _ => Err(format!("bubblewrap `{version}` is older than {}.{}", OLDEST.0, OLDEST.1)),
    }
}

fn numbers(version: &str) -> Option<(u32, u32)> {
    let mut parts = version.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_version() {
        assert_eq!(numbers("0.8.0"), Some((0, 8)));
        assert_eq!(numbers("1.11"), Some((1, 11)));
        assert_eq!(numbers("new"), None);
    }
}
