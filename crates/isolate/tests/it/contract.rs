//! The arguments of a script, and the values that it may return.

use crate::common::{OUT, body, module, run, small, text, value};
use deed_isolate::{BoundInput, Grants, IsolateError, IsolateLimits, MissingReference};

fn refused(source: &str) -> String {
    match body(source) {
        Err(IsolateError::BadReturn { why }) => why,
        other => panic!("{source}: {other:?}"),
    }
}

fn threw(source: &str) -> String {
    match body(source) {
        Err(IsolateError::Threw { message, .. }) => message,
        other => panic!("{source}: {other:?}"),
    }
}

#[test]
fn text_bytes_and_json_are_written() {
    assert_eq!(text("return { out: 'as it is' }"), "as it is");
    assert_eq!(text("return { out: { b: [1, 2.5, null, true], a: 'é' } }"), "{\"b\":[1,2.5,null,true],\"a\":\"é\"}\n");
    assert_eq!(text("return { out: 7 }"), "7\n");
    assert_eq!(text("return { out: null }"), "null\n");
    assert_eq!(text("return { out: new Date(Date.UTC(2024, 0, 5)) }"), "\"2024-01-05T00:00:00.000Z\"\n");
    assert_eq!(text("return { out: 'a\\0b' }"), "a\0b");
    let done = body("return { out: new Uint8Array([0, 255, 16, 128]).subarray(1) }").unwrap();
    assert_eq!(done.outputs[OUT], [255, 16, 128]);
    assert!(body("return {}").unwrap().outputs.is_empty());
}

#[test]
fn inputs_are_frozen_text_or_bytes() {
    assert_eq!(value("inputs['work/rows.json']"), "\"[{\\\"n\\\":1},{\\\"n\\\":2}]\"");
    assert_eq!(value("[inputs['work/raw.bin'] instanceof Uint8Array, ...inputs['work/raw.bin']]"), "[true,255,0,128]");
    assert_eq!(
        value("[Object.isFrozen(inputs), Object.getPrototypeOf(inputs), Object.keys(inputs)]"),
        "[true,null,[\"work/rows.json\",\"work/raw.bin\",\"__proto__\",\"work/bad.json\"]]"
    );
    assert_eq!(value("[inputs['__proto__'], inputs.constructor]"), "[\"{\\\"x\\\":1}\",null]");
    assert!(threw("inputs.more = 1").contains("extensible"));
}

#[test]
fn the_context_has_the_readable_and_writable_paths() {
    assert_eq!(
        value("[context.read.length, context.write, context.now, Object.isFrozen(context)]"),
        "[4,[\"out\"],null,true]"
    );
    assert_eq!(value("context.json('work/rows.json')[1]"), "{\"n\":2}");
    assert_eq!(value("context.json('__proto__')"), "{\"x\":1}");
    assert_eq!(value("(context.json('work/rows.json').push(1), context.json('work/rows.json').length)"), "2");
    assert!(threw("context.json('nope')").contains("`nope` is not a read path"));
    assert!(threw("context.json('work/raw.bin')").contains("`work/raw.bin` is not UTF-8"));
    assert!(threw("context.json('work/bad.json')").contains("`work/bad.json` is not JSON"));
    let given = Grants { now_ms: Some(1_704_448_800_000), ..Grants::default() };
    let source = "export default (i, c) => ({ out: [c.now, Date.now(), new Date().getHours(), Date()].join() })";
    let done = run(source, &[], &[OUT.to_owned()], &given, &small()).unwrap();
    assert_eq!(
        String::from_utf8_lossy(&done.outputs[OUT]),
        "2024-01-05T10:00:00.000Z,1704448800000,10,Fri Jan 05 2024 10:00:00 GMT+0000 (UTC)"
    );
}

#[test]
fn values_that_json_would_lose_are_refused() {
    assert_eq!(refused("return { out: { a: [1, NaN] } }"), "`1` in `out` is NaN");
    assert_eq!(refused("return { out: -Infinity }"), "`out` is -Infinity");
    assert!(refused("return { out: undefined }").contains("`out` is undefined"));
    assert!(refused("return { out: { a: undefined } }").contains("`a` in `out` is undefined"));
    assert!(refused("return { out: [, 1] }").contains("undefined"));
    assert!(refused("return { out: { f() {} } }").contains("a function"));
    assert!(refused("return { out: Symbol('s') }").contains("a symbol"));
    assert!(refused("return { out: 10n }").contains("a bigint"));
    assert!(refused("return { out: '\\ud800' }").contains("lone surrogate"));
    assert!(refused("return { out: ['\\udfff'] }").contains("lone surrogate"));
    assert!(refused("return { out: { '\\ud800': 1 } }").contains("lone surrogate"));
    assert!(refused("return { '\\ud800': 1 }").contains("lone surrogate"));
    assert!(refused("const a = {}; a.a = a; return { out: a }").contains("holds itself"));
    assert!(refused("return { out: new Map([[1, 2]]) }").contains("[object Map]"));
    assert!(refused("return { out: { s: new Set() } }").contains("[object Set]"));
    assert!(refused("return { out: new Number(NaN) }").contains("[object Number]"));
    assert!(refused("return { out: new Uint16Array(2) }").contains("[object Uint16Array]"));
    assert!(refused("return { [Symbol('k')]: 1 }").contains("symbol"));
    assert!(threw("return { out: { d: new Date(NaN) } }").contains("RangeError"));
}

#[test]
fn a_return_value_that_is_not_an_object_is_refused() {
    for (source, kind) in [
        ("", "undefined"),
        ("return 1", "a number"),
        ("return 'x'", "a string"),
        ("return null", "null"),
        ("return [1]", "an array"),
        ("return new Map()", "[object Map]"),
        ("return () => 1", "a function"),
        ("return (function* () {})()", "[object Generator]"),
    ] {
        assert!(refused(source).contains(&format!("returned {kind},")), "{source}: {}", refused(source));
    }
    let promise = module("export default async function () { return {} }").unwrap_err();
    assert!(promise.to_string().contains("`async` must not stand here"), "{promise}");
    let waits = module("await 1; export default () => ({})").unwrap_err();
    assert!(waits.to_string().contains("`await`"), "{waits}");
}

#[test]
fn undeclared_paths_are_named() {
    let error = body("return { out: 1, 'other/a': 1, ['__proto__']: 2, constructor: 3 }").unwrap_err();
    let paths = ["other/a", "__proto__", "constructor"].map(str::to_owned).to_vec();
    assert_eq!(error, IsolateError::Undeclared { paths });
    assert!(error.to_string().contains("`other/a`, `__proto__`, `constructor`"));
    let writes = ["__proto__".to_owned()];
    let source = "export default () => ({ ['__proto__']: 'kept' })";
    let done = run(source, &[], &writes, &Grants::default(), &small()).unwrap();
    assert_eq!(done.outputs["__proto__"], b"kept");
}

#[test]
fn faults_name_their_place() {
    let syntax = module("export default function () {\n  return {{;\n}").unwrap_err();
    assert!(matches!(&syntax, IsolateError::Syntax { line: 2, column, .. } if *column > 0), "{syntax:?}");
    let threw = module("function deep() {\n  throw new RangeError('no')\n}\nexport default () => deep()").unwrap_err();
    let IsolateError::Threw { message, line, stack, .. } = threw else { panic!("{threw:?}") };
    assert_eq!((message.as_str(), line), ("RangeError: no", Some(2)));
    assert!(stack.starts_with("at deep (step.js:2:") && !stack.contains("prelude"), "{stack}");
    for (source, expected) in
        [("throw 'text'", "threw `text`"), ("throw 5", "threw 5"), ("throw {}", "threw a value of type object")]
    {
        assert_eq!(self::threw(source), expected);
    }
    assert_eq!(module("export const a = 1").unwrap_err(), IsolateError::NoDefaultExport);
    assert_eq!(module("export default 5").unwrap_err(), IsolateError::NoDefaultExport);
    assert!(matches!(
        module("throw new Error('top'); export default 5"),
        Err(IsolateError::Threw { line: Some(1), .. })
    ));
    assert!(matches!(module("import x from 'fs'; export default 5"), Err(IsolateError::Threw { .. })));
    assert!(matches!(module("export default 5 \0"), Err(IsolateError::Syntax { .. })));
}

#[test]
fn calls_that_make_no_sense_are_refused() {
    let long = " ".repeat(small().source + 1);
    assert!(matches!(module(&long), Err(IsolateError::SourceTooLarge { .. })));
    let twice = [("a".to_owned(), vec![]), ("a".to_owned(), vec![])];
    let source = "export default () => ({})";
    let run_with = |inputs: &[_], limits: &_| run(source, inputs, &[], &Grants::default(), limits);
    assert!(matches!(run_with(&twice, &small()), Err(IsolateError::BadCall { .. })));
    for limits in [
        IsolateLimits { stack: 0, ..small() },
        IsolateLimits { stack: 1 << 30, ..small() },
        IsolateLimits { memory: 0, ..small() },
    ] {
        assert!(matches!(run_with(&[], &limits), Err(IsolateError::BadCall { .. })));
    }
}

#[test]
fn the_log_is_kept_and_cut() {
    let done =
        body("console.log('a', 1, { b: [2] }, undefined); console.warn('w'); console.error(new Error('e')); return {}")
            .unwrap();
    assert_eq!(done.log, ["a 1 {\"b\":[2]} undefined", "warn: w", "error: Error: e"]);
    let done = body("for (let i = 0; i < 5000; i++) console.log('x'.repeat(100)); return {}").unwrap();
    assert_eq!(done.log.last().unwrap(), "the log was cut after 1024 bytes");
    assert!(done.log.iter().map(String::len).sum::<usize>() < 1200);
    let done = body("const a = {}; a.a = a; console.log(a, Symbol('s'), 1n, '\\ud800'); return {}").unwrap();
    assert_eq!(done.log, ["[object Object] Symbol(s) 1 \u{fffd}"]);
    assert_eq!(body("console.log('y'.repeat(3e6)); return {}").unwrap().log.len(), 2);
}

#[test]
fn too_much_output_is_refused() {
    for source in [
        "return { out: 'x'.repeat(1 << 21) }",
        "return { out: new Uint8Array(1 << 21) }",
        "return { out: ['x'.repeat(1 << 20)] }",
        "return { out: '€'.repeat(1 << 19) }",
    ] {
        assert_eq!(body(source).unwrap_err(), IsolateError::TooMuchOutput { limit: 1 << 20 }, "{source}");
    }
}

/// The engine tells what is missing in words only: they are held here to the version that is built in.
#[test]
fn missing_references_are_named() {
    let missing = |source: &str| match module(source) {
        Err(IsolateError::Threw { missing, .. }) => missing,
        other => panic!("{source}: {other:?}"),
    };
    let module = |name: &str| Some(MissingReference::Module(name.to_owned()));
    let name = |name: &str| Some(MissingReference::Name(name.to_owned()));
    assert_eq!(missing("import fs from 'node:fs'; export default () => ({})"), module("node:fs"));
    assert_eq!(missing("const a = require('fs'); export default () => ({})"), name("require"));
    assert_eq!(missing("export default () => { Buffer.from('a') }"), name("Buffer"));
    assert_eq!(missing("export default () => { throw new Error('x is not defined') }"), None);
    assert_eq!(missing("export default () => { throw new ReferenceError('gone') }"), None);
}

fn bound(slot: &str, entity: &str, path: Option<&str>, files: &[&str]) -> BoundInput {
    let set = path.is_some_and(|path| path.contains('*'));
    let (path, files) = (path.map(str::to_owned), files.iter().map(|file| (*file).to_owned()).collect());
    BoundInput { slot: slot.to_owned(), entity: entity.to_owned(), path, set, files }
}

/// Runs a script with two files in one slot, a set, and an optional input without a producer.
fn with_bound(body: &str) -> String {
    let given = Grants {
        inputs: vec![
            bound("raw", "a.one", Some("work/one"), &["work/one"]),
            bound("raw", "a.two", Some("work/two"), &["work/two"]),
            bound("pages", "a.page", Some("work/*.md"), &["work/p.md", "work/q.md"]),
            bound("extra", "a.none", None, &[]),
        ],
        ..Grants::default()
    };
    let inputs = ["work/one", "work/two"].map(|path| (path.to_owned(), path.as_bytes().to_vec()));
    let source = format!("export default function (inputs, context) {{ {body} }}");
    let done = run(&source, &inputs, &[OUT.to_owned()], &given, &small()).unwrap();
    String::from_utf8(done.outputs[OUT].clone()).unwrap()
}

#[test]
fn inputs_are_found_by_slot_and_entity() {
    let body = "return { out: JSON.stringify([
        context.input('raw', 'a.two'), inputs[context.input('raw', 'a.one')], context.input('extra'),
        context.inputs('raw'), context.inputs('pages', null), context.inputs('extra'),
    ]) }";
    let expected = r#"["work/two","work/one",null,["work/one","work/two"],["work/p.md","work/q.md"],[]]"#;
    assert_eq!(with_bound(body), expected);
}

#[test]
fn an_input_that_is_not_one_file_is_refused() {
    let listed = "the step has the inputs raw (a.one): work/one, raw (a.two): work/two, pages (a.page): work/*.md, \
                  extra (a.none): nothing";
    for (call, says) in [
        ("input('raw')", "2 inputs have the slot 'raw': name the entity, or use inputs(); "),
        ("input('row')", "no input has the slot 'row'; "),
        ("input('raw', 'a.three')", "no input has the slot 'raw' and the entity 'a.three'; "),
        ("inputs('row')", "no input has the slot 'row'; "),
        ("input('pages')", "the slot 'pages' is a set of 2 files: use inputs(); "),
    ] {
        let body = format!("try {{ context.{call} }} catch (error) {{ return {{ out: String(error) }} }}");
        assert_eq!(with_bound(&body), format!("InputNotFound: {says}{listed}"), "{call}");
    }
    assert!(threw("context.input('raw')").contains("no input has the slot 'raw'; the step has no inputs"));
}

/// What a script does to built-ins has no effect on the search.
#[test]
fn a_script_cannot_change_the_search() {
    let body = "
        Object.defineProperty(Array.prototype, 0, { set() { throw new Error('changed') } });
        Array.prototype.push = () => { throw new Error('changed') };
        Object.prototype.path = 'changed';
        globalThis.String = () => 'changed';
        return { out: context.input('raw', 'a.one') + ' ' + context.input('extra') };";
    assert_eq!(with_bound(body), "work/one null");
}
