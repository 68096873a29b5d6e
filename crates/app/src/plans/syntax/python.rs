//! Python, parsed by `compile`, which runs nothing.

use super::program::{find, run};
use super::{Mistake, Parsed};
use serde_json::Value;

/// Reads a list of texts, and prints a list of `null` or `[line, message]`.
const PARSER: &str = "
import json, sys
found = []
for text in json.load(sys.stdin):
    try:
        compile(text, '<step>', 'exec', dont_inherit=True)
        found.append(None)
    except SyntaxError as error:
        found.append([error.lineno or 0, error.msg])
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        found.append([0, str(error)])
json.dump(found, sys.stdout)
";

/// Parses texts, all in one process.
pub(super) fn parse(texts: &[&str]) -> Result<Vec<Parsed>, String> {
    let input = serde_json::to_vec(texts).map_err(|error| error.to_string())?;
    let printed = run(&find("python3")?, &["-I", "-S", "-B", "-c", PARSER], &input)?;
    read("python3", &printed.out, texts.len())
}

/// Reads what a parser of several texts printed.
pub(super) fn read(name: &str, printed: &[u8], texts: usize) -> Result<Vec<Parsed>, String> {
    let found: Vec<Value> = serde_json::from_slice(printed).unwrap_or_default();
    if found.len() != texts {
        return Err(format!("`{name}` did not answer for every step"));
    }
    let mistake = |found: &Value| {
        let line = found.get(0)?.as_u64().filter(|line| *line > 0).and_then(|line| usize::try_from(line).ok());
        Some(Mistake { line, message: found.get(1)?.as_str()?.chars().take(200).collect() })
    };
    Ok(found.iter().map(mistake).collect())
}
