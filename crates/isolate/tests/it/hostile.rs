//! Scripts that try to run forever, to exceed their limits, to reach out, or to trick the prelude.

use crate::common::{OUT, body, module, run, small, text, value};
use deed_isolate::{Grants, IsolateError, IsolateLimits, Timeout};

const SPENT: IsolateError = IsolateError::OutOfTime(Timeout::Operations);

#[test]
fn an_endless_script_cannot_catch_its_end() {
    for source in [
        "for (;;) {}",
        "while (true) { try { for (;;) {} } catch (e) {} }",
        "for (;;) { try { for (;;) {} } finally { continue } }",
        "const f = () => { try { for (;;) {} } catch { f() } finally { f() } }; for (;;) f()",
        "return { get out() { for (;;) {} } }",
        "return { out: { toJSON() { for (;;) { try { for (;;) {} } catch {} } } } }",
        "JSON.parse('[1,2]', () => { for (;;) { try { for (;;) {} } catch {} } })",
        "[3, 2, 1].sort(() => { for (;;) {} })",
        "'x'.replace(/x/, () => { for (;;) {} })",
        "/(a+)+$/.test('a'.repeat(40) + 'b')",
        "for (;;) { try { /(a+)+$/.test('a'.repeat(40) + 'b') } catch {} }",
        "const g = (function* () { try { for (;;) {} } finally { for (;;) yield 1 } })(); for (;;) { try { g.next() } catch {} }",
        "for (const x of { [Symbol.iterator]() { return { next() { return { done: false } }, return() { for (;;) {} } } } }) {}",
        "for (;;) { try { using a = { [Symbol.dispose]() { for (;;) {} } } } catch {} }",
        "for (;;) { try { using a = { [Symbol.dispose]() { throw 1 } }; for (;;) {} } catch {} }",
        "class A { static { for (;;) { try { for (;;) {} } catch {} } } }",
        "throw { get message() { for (;;) {} } }",
        "const e = new Error(); Object.defineProperty(e, 'message', { get() { for (;;) {} } }); throw e",
        "console.log({ toJSON() { for (;;) {} } }); for (;;) {}",
        "const o = {}; o[Symbol.toPrimitive] = () => { for (;;) {} }; return { out: new Date(o) }",
        "new Array(2 ** 32 - 1).indexOf(1)",
        "Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1)",
    ] {
        let outcome = body(source);
        if source.starts_with("throw {") {
            assert!(matches!(outcome, Err(IsolateError::Threw { .. })), "{source}: {outcome:?}");
        } else {
            assert_eq!(outcome, Err(SPENT), "{source}");
        }
    }
    assert_eq!(module("for (;;) {} export default 1"), Err(SPENT));
    assert_eq!(module("for (;;) { try { for (;;) {} } catch {} } export default 1"), Err(SPENT));
}

#[test]
fn words_that_would_swallow_the_end_are_refused() {
    for source in [
        "const f = async () => ({ get then() { for (;;) {} } }); for (;;) f()",
        "for (;;) import({ toString() { for (;;) {} } })",
        "const f = { async *f() { for (;;) {} } }; for (;;) f.f().next()",
    ] {
        assert!(matches!(body(source), Err(IsolateError::Forbidden { .. })), "{source}");
    }
    for source in ["\\u0061sync function f() {}", "im\\u0070ort('x')"] {
        assert!(matches!(body(source), Err(IsolateError::Syntax { .. })), "{source}");
    }
    let waits = "for (;;) { await { get then() { for (;;) {} } } } export default 1";
    assert!(matches!(module(waits), Err(IsolateError::OutOfTime(_) | IsolateError::Waits(_))));
}

#[test]
fn a_full_heap_does_not_hide_the_end_of_the_budget() {
    // With no memory left the engine cannot make the error that ends the script, unless some was kept aside.
    for source in [
        "let l = {}; try { for (;;) l = { l } } catch {} for (;;) { try { for (;;) {} } catch {} }",
        "let l = []; for (;;) { try { for (;;) l = [l] } catch { try { for (;;) {} } catch {} } }",
        "const all = []; for (;;) { try { all.push({}) } catch { for (let i = 0; i < 99; i++) { try { all[i] = [all[i]] } catch {} } } }",
        "const all = []; for (;;) { try { all.push('x'.repeat(1e5 + all.length)) } catch {} }",
    ] {
        assert_eq!(body(source), Err(SPENT), "{source}");
    }
}

#[test]
fn memory_is_capped() {
    for source in [
        "let l = {}; for (;;) l = { l }",
        "'x'.repeat(2 ** 29)",
        "'x'.padEnd(2 ** 29)",
        "let s = 'x'; for (;;) s += s",
        "const a = []; for (;;) a.push(a.length)",
        "new Array(2 ** 32 - 1).fill(0)",
        "[...new Array(2 ** 32 - 1)]",
        "Array.from({ length: 2 ** 32 - 1 })",
        "new Uint8Array(2 ** 30)",
        "new ArrayBuffer(8, { maxByteLength: 2 ** 40 }).resize(2 ** 39)",
        "const m = new Map(); for (let i = 0; ; i++) m.set(i, i)",
        "const m = new WeakMap(), k = []; for (;;) { const o = {}; k.push(o); m.set(o, o) }",
        "return { out: JSON.stringify('\\u0001'.repeat(3e6)) }",
        "JSON.parse('[' + '1,'.repeat(3e6) + '1]')",
        "'x,'.repeat(2e6).split(',')",
        "/(?:x(x))*/.exec('x'.repeat(3e6))",
        "throw new Error('x'.repeat(4e6) + 'y'.repeat(4e6))",
        "new Array(1e7).join('long enough to matter')",
    ] {
        let outcome = body(source);
        let expected = match &outcome {
            Err(IsolateError::OutOfMemory) => true,
            // The engine refuses some lengths before it asks for memory.
            Err(IsolateError::Threw { message, .. }) => {
                message.starts_with("RangeError: ") || message.starts_with("InternalError: ")
            }
            _ => false,
        };
        assert!(expected, "{source}: {outcome:?}");
    }
}

#[test]
fn no_limit_is_too_small_for_an_orderly_end() {
    let source = "export default (i, c) => ({ out: c.json('a').map((x) => x * 2) })";
    let inputs = [("a".to_owned(), b"[1,2,3]".to_vec()), ("b".to_owned(), vec![0xff; 100_000])];
    let mut ends = std::collections::BTreeSet::new();
    for memory in (1..60).map(|n| n * 10_000).chain([1, 100, 1000]) {
        let limits = IsolateLimits { memory, ..small() };
        ends.insert(match run(source, &inputs, &[OUT.to_owned()], &Grants::default(), &limits) {
            Ok(_) => "ok",
            Err(IsolateError::OutOfMemory) => "out of memory",
            other => panic!("{memory}: {other:?}"),
        });
    }
    assert_eq!(ends.len(), 2, "{ends:?}");
    for stack in [1, 1000, 5000, 10_000, 20_000, 40_000, 100_000] {
        let limits = IsolateLimits { stack, ..small() };
        let outcome = run(source, &inputs, &[OUT.to_owned()], &Grants::default(), &limits);
        assert!(
            matches!(outcome, Ok(_) | Err(IsolateError::StackOverflow | IsolateError::Engine { .. })),
            "{stack}: {outcome:?}"
        );
    }
    let limits = IsolateLimits { operations: 0, log: 0, output: 0, ..small() };
    let outcome = run(source, &inputs, &[OUT.to_owned()], &Grants::default(), &limits);
    assert_eq!(outcome, Err(IsolateError::TooMuchOutput { limit: 0 }));
}

#[test]
fn depth_is_capped() {
    for source in [
        "const f = () => f(); f()",
        "const f = () => [1].map(f); f()",
        "let a = []; for (let i = 0; i < 2e4; i++) a = [a]; return { out: a }",
        "JSON.parse('['.repeat(1e5))",
        "const o = { toString() { return '' + o } }; '' + o",
        "const o = { get x() { return o.x } }; o.x",
        "class A { constructor() { new A() } } new A()",
        "let a = []; for (let i = 0; i < 2e4; i++) a = [a]; a.flat(Infinity)",
        "let a = []; a[0] = a; String(a); const f = () => { `${f()}` }; f()",
    ] {
        let outcome = body(source);
        assert_eq!(outcome, Err(IsolateError::StackOverflow), "{source}");
    }
    let deep = format!("export default {}1{}", "(".repeat(30_000), ")".repeat(30_000));
    let outcome = module(&deep);
    assert!(matches!(outcome, Err(IsolateError::StackOverflow | IsolateError::Syntax { .. })), "{outcome:?}");
    let caught = "let n = 0; const f = () => { n++; f() }; for (;;) { try { f() } catch {} }";
    assert_eq!(body(caught), Err(SPENT));
    let deep = body("new RegExp('('.repeat(1e5) + ')'.repeat(1e5))");
    assert!(matches!(deep, Err(IsolateError::Threw { .. } | IsolateError::StackOverflow)), "{deep:?}");
}

#[test]
fn deep_structures_are_freed_without_a_deep_stack() {
    let limits = IsolateLimits { memory: 256 << 20, stack: 64 << 10, operations: 3_000_000, ..small() };
    for source in [
        "let s = ''; for (let i = 0; i < 2e5; i++) s = s + 'some text ' + i; globalThis.s = s",
        "let s = ''; for (let i = 0; i < 2e5; i++) s = 'some text ' + i + s; globalThis.s = s",
        "let s = 'x'.repeat(9000), t = s; for (let i = 0; i < 2e4; i++) t = t + s; globalThis.t = t",
        "let s = 'x'.repeat(9000), t = s; for (let i = 0; i < 2e4; i++) t = s + t; t.length; t[5]; t.indexOf('y')",
        "let s = 'x'.repeat(9000), t = s; for (let i = 0; i < 14; i++) t = s + t + t; t.charCodeAt(7); t + 'z' === t",
        "let o = {}; for (let i = 0; i < 3e5; i++) o = { o }",
        "let o = []; for (let i = 0; i < 3e5; i++) o = [o]",
        "let f = () => 1; for (let i = 0; i < 3e5; i++) { const g = f; f = () => g }",
        "let o = {}; for (let i = 0; i < 3e5; i++) o = Object.create(o); o.x; 'y' in o; for (const k in o) {}",
        "let m = new Map(); for (let i = 0; i < 3e5; i++) m = new Map([[m, m]])",
        "const w = new WeakMap(); let k = {}; for (let i = 0; i < 3e5; i++) { const n = {}; w.set(k, n); k = n }",
        "let k = {}; for (let i = 0; i < 3e5; i++) { const w = new WeakMap([[k, k]]); k = { w } }",
        "let g = []; for (let i = 0; i < 2e5; i++) { const h = g; g = (function* () { yield h })(); g.next() }",
        "let e = 1; for (let i = 0; i < 3e5; i++) e = new Error('x', { cause: e })",
        "let a = [].values(); for (let i = 0; i < 3e5; i++) a = a.map((x) => x); a.next()",
        "let f = () => 1; for (let i = 0; i < 3e5; i++) { f = f.bind(); Object.defineProperty(f, 'name', { value: '' }) } f()",
        "let f = Array; for (let i = 0; i < 3e5; i++) { f = f.bind(); Object.defineProperty(f, 'name', { value: '' }) } [] instanceof f",
        "let f = Array; for (let i = 0; i < 3e5; i++) { f = f.bind(); Object.defineProperty(f, 'name', { value: '' }) } new f()",
        "let f = Array; for (let i = 0; i < 3e5; i++) { f = f.bind(); Object.defineProperty(f, 'name', { value: '' }) } Reflect.construct(Date, [0], f)",
        "let g = [1]; for (let i = 0; i < 1e5; i++) { const h = g; g = (function* () { yield* h })() } g.next()",
        "let s = new Set([1]); for (let i = 0; i < 1e5; i++) { const t = s; s = { size: 1, has: (x) => t.has(x), keys: () => t.keys() } } s.has(1)",
        "let a = 1; for (let i = 0; i < 1e5; i++) { const b = a; a = { valueOf: () => +b } } +a",
        "let a = [1]; for (let i = 0; i < 1e5; i++) a = [a]; `${a}`; a.toString(); a.flat(1e9); [].concat(a)",
        "const r = /(?:(?:(?:a*)*)*)*b/; r.test('a'.repeat(1e5))",
        "const r = /(a|ab|b)*c/; r.test('ab'.repeat(1e6))",
        "let r = 'a'; for (let i = 0; i < 1e4; i++) r = '(?=' + r + ')'; new RegExp(r).test('a'.repeat(1e5))",
        "const b = 2n ** 100000n; b.toString().length; BigInt('9'.repeat(1e4)); (b * b) / (b - 1n)",
        "let a = new Uint8Array(1); for (let i = 0; i < 3e5; i++) a = new Uint8Array(a.buffer)",
    ] {
        let source = format!("export default function () {{ {source}; return {{}} }}");
        let outcome = run(&source, &[], &[], &Grants::default(), &limits);
        let orderly = matches!(
            outcome,
            Ok(_) | Err(SPENT | IsolateError::OutOfMemory | IsolateError::StackOverflow | IsolateError::Threw { .. })
        );
        assert!(orderly, "{source}: {outcome:?}");
    }
}

#[test]
fn deep_sources_are_compiled_or_refused() {
    let most = small().source - 200;
    for (open, core, close) in [
        ("(", "1", ")"),
        ("[", "", "]"),
        ("({a:", "1", "})"),
        ("{", "", "}"),
        ("-", "1", ""),
        ("!", "1", ""),
        ("- -", "1", ""),
        ("typeof ", "1", ""),
        ("void ", "1", ""),
        ("new ", "Array", ""),
        ("()=>", "1", ""),
        ("x=>", "1", ""),
        ("(x=", "1", ")=>1"),
        ("function f(){", "", "}"),
        ("(function(){", "", "})()"),
        ("class A{static{", "", "}}"),
        ("class A extends ", "B", "{}"),
        ("1?", "1", ":1"),
        ("1?1:", "1", ""),
        ("1**", "1", ""),
        ("a=", "1", ""),
        ("a??", "1", ""),
        ("1,", "1", ""),
        ("1+", "1", ""),
        ("if(1)", ";", ""),
        ("if(1);else ", ";", ""),
        ("for(;;)", ";", ""),
        ("while(0)", ";", ""),
        ("do ", ";", " while(0)\n"),
        ("try{", "", "}catch{}"),
        ("try{}catch{", "", "}"),
        ("try{}finally{", "", "}"),
        ("switch(1){case 1:", "", "}"),
        ("`${", "1", "}`"),
        ("f`${", "1", "}`"),
        ("f(", "1", ")"),
        ("a[", "1", "]"),
        ("a.b", "", ""),
        ("a?.", "b", ""),
        ("a()", "", ""),
        ("var [", "a", "]=1"),
        ("[", "a", "]=[]"),
        ("({a:", "a", "}={})"),
        ("with(a)", ";", ""),
        ("{let a;", "", "}"),
        ("\"a\"+", "1", ""),
        ("/(?:", "a", ")/"),
        ("//\n", "", ""),
        ("/**/", "", ""),
        ("...", "a", ""),
        ("yield ", "1", ""),
        ("({get a(){return ", "1", "}})"),
        ("class A{a=", "1", "}"),
        ("new f(", "1", ")"),
        ("a=>{", "", "}"),
        ("({[", "1", "]:1})"),
        ("label:", ";", ""),
        ("1&&", "1", ""),
    ] {
        let depth = most / (open.len() + close.len());
        for (before, after) in
            [("", ""), ("export default function () { return {};\n", "\n}"), ("export default ", ""), ("let x = ", "")]
        {
            let source = format!("{before}{}{core}{}{after}", open.repeat(depth), close.repeat(depth));
            let limits = IsolateLimits { stack: 64 << 10, ..small() };
            let outcome = run(&source, &[], &[], &Grants::default(), &limits);
            assert!(
                !matches!(
                    outcome,
                    Err(IsolateError::Engine { .. }
                        | IsolateError::BadCall { .. }
                        | IsolateError::SourceTooLarge { .. })
                ),
                "{open}: {outcome:?}"
            );
        }
    }
    let pattern = format!(
        "export default () => {{ new RegExp('{}a{}'); return {{}} }}",
        "(".repeat(most / 4),
        ")".repeat(most / 4)
    );
    run(&pattern, &[], &[], &Grants::default(), &small()).unwrap_err();
}

#[test]
fn text_never_becomes_code() {
    for source in [
        "eval('1')",
        "(0, eval)('1')",
        "globalThis.eval('1')",
        "new Function('return 1')()",
        "Function('return 1')()",
        "''.constructor.constructor('return this')()",
        "(() => {}).constructor('return this')()",
        "(function* () {}).constructor('return this')()",
        "Reflect.construct(Object.getPrototypeOf(function* () {}).constructor, ['yield 1'])",
        "Reflect.construct(Function, ['return 1'], Array)",
        "class F extends Function { constructor() { super('return 1') } } new F()",
        "Error.prepareStackTrace = (e, s) => s[0].getFunction(); new Error().stack.constructor('return 1')()",
        "delete Function.prototype.constructor; (() => {}).constructor('return 1')()",
    ] {
        let outcome = body(source);
        assert!(matches!(outcome, Err(IsolateError::Threw { .. })), "{source}: {outcome:?}");
    }
    assert_eq!(
        value("[(() => 1) instanceof Function, Function.prototype === Object.getPrototypeOf(() => 1)]"),
        "[true,true]"
    );
}

#[test]
fn the_globals_are_the_documented_ones() {
    let names = value("Reflect.ownKeys(globalThis).filter((k) => typeof k === 'string').sort().join(' ')");
    assert_eq!(
        names,
        "\"AggregateError Array ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean DataView Date Error EvalError \
         Float16Array Float32Array Float64Array Function Infinity Int16Array Int32Array Int8Array InternalError \
         JSON Map Math NaN Number Object RangeError ReferenceError Reflect RegExp Set String Symbol \
         SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakSet console \
         decodeURI decodeURIComponent encodeURI encodeURIComponent escape globalThis isFinite isNaN parseFloat \
         parseInt undefined unescape\""
    );
    assert_eq!(value("typeof this"), "\"undefined\"");
    let none = "[typeof Promise, typeof Proxy, typeof performance, typeof Array.fromAsync, typeof setTimeout]";
    assert_eq!(value(none), "[\"undefined\",\"undefined\",\"undefined\",\"undefined\",\"undefined\"]");
}

#[test]
fn a_changed_world_does_not_reach_the_prelude() {
    let poison = "
        const bad = () => { throw new Error('reached') };
        for (const target of [Object, Reflect, JSON, Array, Array.prototype, String.prototype, Uint8Array.prototype,
            Object.getPrototypeOf(Uint8Array.prototype), RegExp.prototype, Function.prototype, Date.prototype]) {
            for (const name of Reflect.ownKeys(target)) {
                if (name === 'constructor' || name === 'stringify') continue;
                try { Object.defineProperty(target, name, { get: bad, set: bad, configurable: true }) } catch {}
            }
        }";
    let result = format!("{poison} return {{ out: 'fine' }}");
    assert_eq!(text(&result), "fine");
    for (set, expected) in [
        (
            "Object.prototype.get = () => { throw 1 }; Object.prototype.value = 5; Object.prototype.enumerable = false;",
            "{\"a\":[1]}\n",
        ),
        ("Object.defineProperty(Object.prototype, '0', { set() { throw 1 }, get() { return 'x' } });", "{\"a\":[1]}\n"),
        ("JSON.stringify = () => 'forged'; String.prototype.isWellFormed = () => false;", "{\"a\":[1]}\n"),
        ("Object.prototype.toString = () => '[object Map]'; Array.isArray = () => true;", "{\"a\":[1]}\n"),
        ("Object.prototype.out = 'inherited'; Object.prototype.other = 1;", "{\"a\":[1]}\n"),
        (
            "Symbol.prototype.x = 1; globalThis.Object = null; globalThis.TypeError = null; globalThis.JSON = null;",
            "{\"a\":[1]}\n",
        ),
        ("Object.prototype.__proto__; Object.setPrototypeOf(Array.prototype, null);", "{\"a\":[1]}\n"),
    ] {
        assert_eq!(text(&format!("{set} return {{ out: {{ a: [1] }} }}")), expected, "{set}");
    }
    let bytes = "Uint8Array.prototype.toHex = () => 'zz'; Object.defineProperty(Object.getPrototypeOf(Uint8Array.prototype), \
        'length', { get: () => 1e9 }); return { out: new Uint8Array([1, 2]) }";
    assert_eq!(body(bytes).unwrap().outputs[OUT], [1, 2]);
    let json = "JSON.parse = () => 'forged'; return { out: context.json('work/rows.json')[0].n }";
    assert_eq!(text(json), "1\n");
}

#[test]
fn each_value_is_read_once() {
    assert_eq!(text("let n = 0; return { get out() { return 'read ' + ++n } }"), "read 1");
    assert_eq!(text("let n = 0; return { out: { get a() { return ++n } } }"), "{\"a\":1}\n");
    let nan = "let n = 0; return { out: { get a() { return n++ ? NaN : 1 } } }";
    assert_eq!(text(nan), "{\"a\":1}\n");
    for source in
        ["return { get out() { throw new Error('mine') } }", "return { out: { toJSON() { throw new Error('mine') } } }"]
    {
        assert!(
            matches!(body(source), Err(IsolateError::Threw { message, .. }) if message == "Error: mine"),
            "{source}"
        );
    }
    // A path that appears while another is read was never declared, and is not taken.
    let later = "return { get out() { this.other = 1; delete this.out; return 'x' } }";
    assert_eq!(body(later).unwrap().outputs.keys().collect::<Vec<_>>(), [OUT]);
}

#[test]
fn nothing_odd_hides_a_refusal() {
    assert!(matches!(
        body("return { get out() { return { a: NaN } }, other: 1 }"),
        Err(IsolateError::Undeclared { .. })
    ));
    let swallow = "return { out: { toJSON() { return { a: NaN } } } }";
    assert!(matches!(body(swallow), Err(IsolateError::BadReturn { .. })));
    assert_eq!(body("throw null"), Err(IsolateError::OutOfMemory));
    let shrink = "const b = new ArrayBuffer(8, { maxByteLength: 16 }); const v = new Uint8Array(b, 4, 4); b.resize(2); return { out: v }";
    assert!(matches!(body(shrink), Err(IsolateError::Threw { .. })), "{:?}", body(shrink));
    let detached = "const v = new Uint8Array(8); v.buffer.transfer(); return { out: v }";
    assert!(matches!(body(detached), Err(IsolateError::Threw { .. })), "{:?}", body(detached));
}
