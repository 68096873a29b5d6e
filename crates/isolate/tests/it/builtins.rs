//! Every function that a script can reach, called with arguments that never return: none may swallow the end.

use std::time::Duration;

use crate::common::{OUT, run, small, value};
use deed_isolate::{Grants, IsolateError, IsolateLimits};

/// Finds every function that can be reached, as an expression that leads to it.
const WALK: &str = r#"(() => {
    const seen = new Set(), found = [];
    const walk = (at, path) => {
        if ((typeof at !== "object" && typeof at !== "function") || at === null || seen.has(at)) return;
        seen.add(at);
        if (typeof at === "function") found.push(path);
        for (const key of Reflect.ownKeys(at)) {
            const d = Reflect.getOwnPropertyDescriptor(at, key);
            const name = typeof key === "symbol" ? key.description : JSON.stringify(key);
            const own = `Reflect.getOwnPropertyDescriptor(${path}, ${name})`;
            if ("value" in d) walk(d.value, typeof key === "symbol" ? `${path}[${name}]` : `${path}[${name}]`);
            else { walk(d.get, `${own}.get`); walk(d.set, `${own}.set`); }
        }
        const up = Object.getPrototypeOf(at);
        if (up !== null) walk(up, `Object.getPrototypeOf(${path})`);
    };
    walk(globalThis, "globalThis");
    const more = ["[].values()", "new Map().entries()", "new Set().values()", "''[Symbol.iterator]()", "'a'.matchAll(/a/g)",
        "(function* () {})()", "function* () {}", "inputs", "context", "import.meta"];
    for (const path of more) if (path !== "import.meta") walk(eval_(path), `(${path})`);
    return found;
    function eval_(path) {
        return [() => [].values(), () => new Map().entries(), () => new Set().values(), () => ""[Symbol.iterator](),
            () => "a".matchAll(/a/g), () => (function* () {})(), () => function* () {}, () => inputs, () => context][more.indexOf(path)]();
    }
})()"#;

/// Objects whose every use runs for ever.
const HOSTILE: &str = r#"
    const spin = () => { for (;;) { try { for (;;) {} } catch {} } };
    const step = { next: spin, return: spin, throw: spin };
    const trap = { [Symbol.iterator]: spin, [Symbol.toPrimitive]: spin, toString: spin, valueOf: spin, toJSON: spin, next: spin,
        get length() { return spin() }, get then() { return spin() }, get constructor() { return spin() }, get 0() { return spin() },
        get raw() { return spin() }, get [Symbol.species]() { return spin() }, get size() { return spin() }, has: spin, keys: spin,
        get lastIndex() { return spin() }, get exec() { return spin() }, get flags() { return spin() } };
    const lists = [spin, trap, { [Symbol.iterator]: () => step }, { length: 3, get 0() { return spin() } },
        { [Symbol.iterator]: () => ({ next: () => ({ value: 1, done: false }), return: spin }) }];
    const selves = [undefined, trap, [3, 1, 2], "abc", /b/g, new Map([[1, 2]]), new Set([1]), new Uint8Array([3, 1]), 5, 5n,
        Symbol("s"), new Date(0), new Error("e"), [1].values(), (function* () { yield 1 })(), spin, new ArrayBuffer(8), new WeakMap(), {}];
"#;

#[test]
fn no_builtin_swallows_the_end() {
    let walked = value(WALK);
    let paths: Vec<&str> = walked.trim_matches(['[', ']']).split("\",\"").collect();
    assert!(paths.len() > 400, "{}", paths.len());
    let limits = IsolateLimits {
        operations: 300_000,
        wall: Duration::from_secs(20),
        grace: Duration::from_secs(5),
        source: 1 << 20,
        ..small()
    };
    let mut wrong = Vec::new();
    for path in &paths {
        let path = path.trim_matches('"').replace("\\\"", "\"").replace("\\\\", "\\");
        let source = format!(
            "export default (inputs, context) => {{ {HOSTILE} const called = {path};
                for (let n = 0; ; n++) {{
                    for (const self of selves) for (const a of lists) for (const b of [spin, 'b', ...lists]) {{
                        try {{ Reflect.apply(called, self, [a, b, spin]) }} catch {{}}
                        try {{ Reflect.apply(called, self, [b, a, spin]) }} catch {{}}
                        try {{ Reflect.construct(called, [a, b, spin]) }} catch {{}}
                    }}
                }} }}"
        );
        let inputs = [("a".to_owned(), b"{}".to_vec())];
        match run(&source, &inputs, &[OUT.to_owned()], &Grants::default(), &limits) {
            Err(IsolateError::OutOfTime(deed_isolate::Timeout::Operations)) => {}
            other => wrong.push(format!("{path}: {other:?}")),
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), paths.len(), wrong.join("\n"));
}
