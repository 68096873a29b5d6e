//! JavaScript, parsed as a module by Node, which links and runs nothing of it.

use super::Parsed;
use super::program::{find, run};
use super::python::read;

/// Reads a list of texts, and prints a list of `null` or `[line, message]`. The line is in what Node shows above an
/// uncaught error.
const PARSER: &str = "
const vm = require('node:vm');
let decorate = () => {};
try { decorate = require('internal/util').decorateErrorStack; } catch {}
let text = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (part) => { text += part; });
process.stdin.on('end', () => {
  const found = JSON.parse(text).map((source) => {
    try {
      new vm.SourceTextModule(source, { identifier: 'step' });
      return null;
    } catch (error) {
      decorate(error);
      const line = /^step:([0-9]+)/.exec(String(error.stack));
      return [line ? Number(line[1]) : 0, String(error.message)];
    }
  });
  process.stdout.write(JSON.stringify(found));
});
";

/// Parses texts, all in one process.
pub(super) fn parse(texts: &[&str]) -> Result<Vec<Parsed>, String> {
    let input = serde_json::to_vec(texts).map_err(|error| error.to_string())?;
    let args = ["--expose-internals", "--experimental-vm-modules", "--no-warnings", "-e", PARSER];
    let printed = run(&find("node")?, &args, &input)?;
    read("node", &printed.out, texts.len())
}
