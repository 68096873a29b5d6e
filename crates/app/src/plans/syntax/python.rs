//! Python, parsed by `compile`, which runs nothing.

use super::program::{find, run};
use super::{Mistake, Parsed};

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
    let found: Vec<Option<(usize, String)>> =
        serde_json::from_slice(printed).map_err(|error| format!("the answer of `{name}` cannot be read: {error}"))?;
    if found.len() != texts {
        return Err(format!("`{name}` did not answer for every step"));
    }
    let mistake = |(line, message): (usize, String)| Mistake {
        // A parser that does not know the line says 0.
        line: Some(line).filter(|line| *line > 0),
        message: message.chars().take(200).collect(),
    };
    Ok(found.into_iter().map(|found| found.map(mistake)).collect())
}
