//! Rules: no rule panics the compiler, the evaluator, the checker or the solver, and explain agrees with eval.
#![no_main]

use deed_logic::{Mode, Outcome, Program, Term, Ty, check, satisfiable};
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};

fuzz_target!(|data: &[u8]| {
    let Ok(value) = deed_canon::parse(data) else { return };
    let (rule, context) = match &value {
        Value::Array(pair) if pair.len() == 2 => (&pair[0], pair[1].clone()),
        other => (other, json!({ "a": 1, "b": "x", "c": [1, 2, 3], "d": { "e": true } })),
    };
    for mode in [Mode::Strict, Mode::Compat] {
        let Ok(program) = Program::compile(rule, mode) else { continue };
        let result = program.eval(&context);
        match (&result, &program.explain(&context).outcome) {
            (Ok(a), Outcome::Value(b)) => assert_eq!(a, b),
            (Err(a), Outcome::Error(b)) => assert_eq!(a, b),
            (Ok(_), Outcome::Other(_)) => {}
            (a, b) => panic!("eval {a:?}, explain {b:?}"),
        }
        let ty = Ty::infer(&context);
        let _ = check(&program, &ty);
        let _ = satisfiable(&[Term { program: &program, holds: true }], &ty);
    }
});
