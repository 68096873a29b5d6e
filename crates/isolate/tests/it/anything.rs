//! Whatever is put together from pieces of JavaScript, a run ends in an orderly way, and in the same way twice.

use crate::common::{OUT, run, small};
use deed_isolate::{Grants, IsolateError, IsolateLimits, Timeout};
use proptest::prelude::*;

const PIECES: [&str; 84] = [
    "a",
    "b",
    "f",
    "inputs",
    "context",
    "out",
    "this",
    "null",
    "undefined",
    "NaN",
    "1",
    "-0",
    "1e9",
    "2**31",
    "10n",
    "'x'",
    "`t${a}`",
    "/a+/g",
    "[]",
    "{}",
    "[a,b]",
    "({out:a})",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    ".",
    "?.",
    "...",
    "=>",
    "=",
    "+",
    "*",
    "**",
    "<",
    "===",
    "??",
    "!",
    "-",
    "typeof ",
    "void ",
    "delete ",
    "new ",
    "yield ",
    "await ",
    "return ",
    "throw ",
    "let a=",
    "const b=",
    "var f=",
    "function f(){",
    "function*f(){",
    "class A{",
    "if(a)",
    "else ",
    "for(const a of ",
    "for(;;)",
    "while(b)",
    "try{",
    "}catch(e){",
    "}finally{",
    "switch(a){case 1:",
    "break;",
    "continue;",
    ".length",
    ".map(",
    ".repeat(",
    ".sort(",
    ".constructor",
    ".__proto__",
    ".toJSON=",
    "Object.prototype.",
    "Symbol.iterator",
    "Array(",
    "new Map(",
    "new Uint8Array(",
    "JSON.stringify(",
    "JSON.parse(",
    "console.log(",
    "\n",
];

fn limits() -> IsolateLimits {
    IsolateLimits { memory: 4 << 20, stack: 64 << 10, operations: 50_000, ..small() }
}

fn end(source: &str) -> Result<Vec<u8>, IsolateError> {
    let given = Grants { now_ms: Some(0), seed: Some(1), ..Grants::default() };
    let inputs = [("a".to_owned(), b"[1,2]".to_vec())];
    let done = run(source, &inputs, &[OUT.to_owned()], &given, &limits())?;
    Ok(done.outputs.into_values().flatten().collect())
}

fn orderly(source: &str) {
    let first = end(source);
    assert!(
        !matches!(
            first,
            Err(IsolateError::Engine { .. } | IsolateError::OutOfTime(Timeout::Abandoned | Timeout::Wall))
        ),
        "{source}: {first:?}"
    );
    assert_eq!(first, end(source), "{source}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pieces_in_a_function(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..40)) {
        orderly(&format!("export default function* g(inputs, context) {{ {} }}", pieces.concat()));
        orderly(&format!("export default function (inputs, context) {{ let a = [1], b = {{}}; {} }}", pieces.concat()));
    }

    #[test]
    fn short_statements(
        names in prop::collection::vec(prop::sample::select(vec![
            "a.push(a)", "a = [a, b]", "b.out = a", "b = { out: b }", "a = 'é'.repeat(a.length * 1000)", "a = JSON.parse(JSON.stringify(b))",
            "a.sort(() => Math.random() - 0.5)", "b[a] = b", "delete b.out", "a = Object.entries(b)", "f(f)", "b.toJSON = () => a",
            "Object.prototype[a] = b", "a = a.concat(a)", "a = new Uint8Array(9)", "b.out = new Date()", "a.length = 1e4", "a = [...a, ...a]",
            "for (const k in b) a = k", "try { f() } catch (e) { a = e }", "Array.prototype.map = f", "JSON.stringify = f", "b.__proto__ = a",
            "console.log(a, b)", "a = a.flat(9)", "a = `${a}${a}`", "return { out: a }", "return b", "throw a", "b = new Map([[a, b]])",
        ]), 0..30)
    ) {
        let lines: String = names.iter().map(|line| format!("try {{ {line} }} catch {{}}\n").replace("try { return", "try { if (a) return")).collect();
        let source = format!("export default function f(inputs, context) {{ let a = [1], b = {{}};\n{lines} return {{ out: a }} }}");
        orderly(&source);
    }

    #[test]
    fn any_text(source in "\\PC{0,80}") {
        orderly(&source);
        orderly(&format!("export default () => {{ {source} }}"));
    }
}
