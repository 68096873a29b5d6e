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

/// Reads a list of texts that parse as modules, and prints for each `null` or `[line, name]`: the first use of a name that
/// only CommonJS has. A use is code if nothing compiles with a keyword in its place; a text that declares the name, or asks
/// for its type first, is left alone.
const COMMONJS: &str = "
const vm = require('node:vm');
const compiles = (source) => {
  try { new vm.SourceTextModule(source, { identifier: 'step' }); return true; } catch { return false; }
};
let text = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (part) => { text += part; });
process.stdin.on('end', () => {
  const uses = [['require', /(?<![\\w$.])require(?=\\s*\\()/g], ['module', /(?<![\\w$.])module(?=\\s*\\.\\s*exports)/g],
    ['exports', /(?<![\\w$.])exports(?=\\s*[.[])/g], ['__dirname', /(?<![\\w$.])__dirname(?![\\w$])/g],
    ['__filename', /(?<![\\w$.])__filename(?![\\w$])/g]];
  const found = JSON.parse(text).map((source) => {
    for (const [name, use] of uses) {
      const other = new RegExp('(?:let|const|var|function|class|typeof)\\\\s+' + name + '(?![\\\\w$])'
        + (name.startsWith('__') ? '' : '|[(,{]\\\\s*(?:\\\\.\\\\.\\\\.)?' + name + '\\\\s*[,)}=]'));
      if (other.test(source)) continue;
      for (const match of [...source.matchAll(use)].slice(0, 100)) {
        const without = source.slice(0, match.index) + 'else' + source.slice(match.index + name.length);
        if (!compiles(without)) return [source.slice(0, match.index).split('\\n').length, name];
      }
    }
    return null;
  });
  process.stdout.write(JSON.stringify(found));
});
";

/// The names that only CommonJS has.
const OF_COMMONJS: [&str; 5] = ["require", "module", "exports", "__dirname", "__filename"];

/// Finds names in texts that parse which a module does not have, so that every run would fail that reaches them.
pub(super) fn commonjs(texts: &[&str]) -> Result<Vec<Parsed>, String> {
    if !texts.iter().any(|text| OF_COMMONJS.iter().any(|name| text.contains(name))) {
        return Ok(texts.iter().map(|_| None).collect());
    }
    let input = serde_json::to_vec(texts).map_err(|error| error.to_string())?;
    let printed = run(&find("node")?, &["--experimental-vm-modules", "--no-warnings", "-e", COMMONJS], &input)?;
    read("node", &printed.out, texts.len())
}

/// Parses texts, all in one process.
pub(super) fn parse(texts: &[&str]) -> Result<Vec<Parsed>, String> {
    let input = serde_json::to_vec(texts).map_err(|error| error.to_string())?;
    let args = ["--expose-internals", "--experimental-vm-modules", "--no-warnings", "-e", PARSER];
    let printed = run(&find("node")?, &args, &input)?;
    read("node", &printed.out, texts.len())
}
