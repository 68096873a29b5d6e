//! Findings about a source before it runs.

use crate::common::{body, module};
use deed_isolate::{SourceFinding, SourceProblem, inspect};

/// The findings that stop every run, and those that may.
fn found(source: &str) -> (Vec<String>, Vec<String>) {
    let described = |finding: &SourceFinding| {
        let line = finding.line.map_or_else(|| "-".to_owned(), |line| line.to_string());
        let problem = match &finding.problem {
            SourceProblem::TooLarge { .. } => "too large".to_owned(),
            SourceProblem::Syntax { .. } => "syntax".to_owned(),
            SourceProblem::Forbidden { .. } => "forbidden".to_owned(),
            SourceProblem::Import { module } => format!("import {module}"),
            SourceProblem::Await => "await".to_owned(),
            SourceProblem::NoDefaultExport => "no default".to_owned(),
            SourceProblem::DefaultNotCallable { what } => format!("default is {what}"),
            SourceProblem::MissingGlobal { name } => format!("no {name}"),
            SourceProblem::NotGiven { what } => format!("not given {what}"),
        };
        format!("{line}: {problem}")
    };
    let (certain, possible): (Vec<_>, Vec<_>) = inspect(source).unwrap().into_iter().partition(|f| f.certain);
    (certain.iter().map(described).collect(), possible.iter().map(described).collect())
}

const F: &str = "export default function (inputs) { return {} }";

/// Whatever is reported as certain does fail.
#[test]
fn a_certain_failure_is_found_with_its_line() {
    for (source, says) in [
        ("export default 1 +".to_owned(), vec!["1: syntax"]),
        ("let a = 1;\nlet a = 2;".to_owned(), vec!["2: syntax"]),
        ("console.log(1)".to_owned(), vec!["-: no default"]),
        ("export function run() { return {} }".to_owned(), vec!["-: no default"]),
        ("// export default function\nconst text = 'export default 1';".to_owned(), vec!["-: no default"]),
        ("const f = () => ({});\nexport { f };".to_owned(), vec!["-: no default"]),
        (format!("// fs\nimport fs from 'fs';\n{F}"), vec!["2: import fs"]),
        (format!("import {{\n  readFileSync\n}} from \"node:fs\";\n{F}"), vec!["3: import node:fs"]),
        (format!("import './other.js';\n{F}"), vec!["1: import other.js"]),
        (format!("export * from 'x';\n{F}"), vec!["1: import x"]),
        (format!("const x = 'await';\nconst y = await 1;\n{F}"), vec!["2: await"]),
        (format!("for await (const x of []) {{}}\n{F}"), vec!["1: await"]),
        ("\nexport default async function () { return {} }".to_owned(), vec!["2: forbidden"]),
        (format!("const x = () => import('x');\n{F}"), vec!["1: forbidden"]),
        ("export default {\n  run() { return {} }\n}".to_owned(), vec!["1: default is an object"]),
        ("export default [1, 2];".to_owned(), vec!["1: default is a list"]),
        ("\nexport default class Step { run() {} }".to_owned(), vec!["2: default is a class"]),
        ("export default 'x'".to_owned(), vec!["1: default is a text"]),
        ("export default 7;".to_owned(), vec!["1: default is a number"]),
        (format!("const fs = require('fs');\n{F}"), vec!["1: no require"]),
        (format!("\n\nconst home = process.env.HOME;\n{F}"), vec!["3: no process"]),
        ("module.exports = () => ({});".to_owned(), vec!["-: no default", "1: no module"]),
        (format!("const at = Date.now();\n{F}"), vec!["1: not given Date.now()"]),
        (format!("const at = new Date();\n{F}"), vec!["1: not given new Date()"]),
        (format!("const die = Math.random();\n{F}"), vec!["1: not given Math.random()"]),
    ] {
        assert!(module(&source).is_err(), "it runs: {source}");
        let (certain, possible) = found(&source);
        assert_eq!((certain, possible), (says.into_iter().map(str::to_owned).collect(), vec![]), "{source}");
    }
}

#[test]
fn a_failure_that_may_not_be_reached_is_not_certain() {
    for (source, says) in [
        ("export default function () {\n  setTimeout(() => 1, 1);\n  return {};\n}", "2: no setTimeout"),
        ("export default function (i) {\n  if (!i.x) {\n    process.exit(1);\n  }\n  return {};\n}", "3: no process"),
        ("const load = () => fetch('x');\nexport default () => ({});", "1: no fetch"),
        ("export default () => {\n  return { out: eval('1') };\n}", "2: no eval"),
        ("export default () => {\n  return { out: Math.random() };\n}", "2: not given Math.random()"),
        ("let x;\ntry {\n  x = process.env;\n} catch {}\nexport default () => ({});", "3: no process"),
        ("const x = globalThis.process ? process.env : 1;\nexport default () => ({});", "1: no process"),
    ] {
        assert_eq!(found(source), (vec![], vec![says.to_owned()]), "{source}");
    }
}

#[test]
fn a_sound_script_has_no_findings() {
    for source in [
        F,
        "\u{feff}export default () => ({})",
        "const f = function () { return {} };\nexport { f as default };",
        "function fetch() { return 1 }\nexport default () => ({ out: fetch() })",
        "export default ({ process }) => ({ out: process.x })",
        "export default (inputs) => { const { require } = inputs; return { out: require(1) } }",
        "export default () => { let module = 1; module = 2; return { out: module } }",
        "const x = typeof process === 'undefined' ? 1 : process.pid;\nexport default () => ({ out: x })",
        "export default () => ({ out: 'process.env, fetch(x), await y, import x' })",
        "// const fs = require('fs')\nexport default () => ({ out: /process.env/.source })",
        "export default () => ({ out: { process: 1, fetch: 2, await: 3 }.process })",
        "const o = { fetch(x) { return x }, await: 1 };\nexport default () => ({ out: o.fetch(o.await) })",
        "export default () => ({ out: `${1} process ${'fetch'}` })",
        "export default { f() { return {} } }.f",
        "export default [() => ({})][0];",
        "export default () => ({ out: new Date(0) })",
        "export default (i, c) => ({ out: c.now === null ? 1 : new Date(c.now) })",
    ] {
        assert_eq!(found(source), (vec![], vec![]), "{source}");
    }
}

/// The list of what is missing is true of the engine that runs steps.
#[test]
fn each_global_that_is_called_missing_is_missing() {
    let all = "Atomics Buffer FinalizationRegistry Intl Promise Proxy SharedArrayBuffer TextDecoder TextEncoder URL URLSearchParams WeakRef WebAssembly XMLHttpRequest __dirname __filename atob btoa clearTimeout crypto document eval exports fetch module performance process queueMicrotask require setImmediate setInterval setTimeout structuredClone";
    for name in all.split(' ') {
        let source = format!("return {{ out: typeof {name} }}");
        let ran = body(&source).unwrap();
        assert_eq!(ran.outputs["out"], b"undefined", "{name}");
        let used = format!("export default () => {{ {name}.x }}");
        assert_eq!(found(&used).1, [format!("1: no {name}")]);
    }
}

#[test]
fn a_long_source_and_many_words_end_soon() {
    let many = format!("const x = '{}';\n{F}", "process fetch await ".repeat(3_000));
    let began = std::time::Instant::now();
    assert_eq!(found(&many), (vec![], vec![]));
    let names = ["process", "fetch", "require", "module", "Buffer", "URL", "crypto", "Intl", "Proxy", "atob"];
    let uses: String =
        (0..400).map(|n| format!("function f{n}() {{ {0}.x; {0}.y }}\n", names[n % names.len()])).collect();
    let hostile = format!("{F}\n{uses}{}", "// process fetch await\n".repeat(1_000));
    let (certain, possible) = found(&hostile);
    assert!(certain.is_empty() && possible.contains(&"6: no Buffer".to_owned()), "{possible:?}");
    assert!(began.elapsed().as_secs() < 60, "{:?}", began.elapsed());
    assert_eq!(found(&"/".repeat(65_537)).0, ["-: too large"]);
}
