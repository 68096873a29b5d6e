//! Shell, read by `sh -n`, which runs no command.

use super::program::{find, run};
use super::{Mistake, Parsed};

/// Parses texts, each in a process of its own.
pub(super) fn parse(texts: &[&str]) -> Result<Vec<Parsed>, String> {
    let shell = find("sh")?;
    texts
        .iter()
        .map(|text| {
            let printed = run(&shell, &["-n"], text.as_bytes())?;
            Ok((!printed.ended_well).then(|| mistake(&String::from_utf8_lossy(&printed.err))))
        })
        .collect()
}

/// `/bin/sh: 4: Syntax error: …` of dash, `sh: line 4: syntax error …` of bash.
fn mistake(printed: &str) -> Mistake {
    let first = printed.lines().next().unwrap_or_default();
    let parts: Vec<&str> = first.splitn(3, ':').map(str::trim).collect();
    let line = parts.get(1).and_then(|part| part.trim_start_matches("line ").parse().ok());
    let message = if line.is_some() { parts.get(2).copied() } else { None };
    Mistake { line, message: message.unwrap_or(first).chars().take(200).collect() }
}
