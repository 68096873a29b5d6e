//! The laws of the crate, over random rules and contexts.

use crate::common::Random;
use deed_logic::{
    EvalErrorKind, Limits, Lookup, Mode, Monotone, Outcome, Program, Sat, Scope, Term, Truth, Ty, check_value, implies,
    satisfiable, threshold,
};
use proptest::prelude::*;
use serde_json::{Value, json};

fn random() -> impl Strategy<Value = Random> {
    any::<u64>().prop_map(Random::new)
}

fn json() -> impl Strategy<Value = Value> {
    let key = prop_oneof!["[a-z]{0,3}", Just("var".to_owned()), Just("and".to_owned())];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(|n| json!(n)),
        any::<i64>().prop_map(Value::from),
        ".*".prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 40, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(key.clone(), inner, 0..3)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

fn modes() -> impl Strategy<Value = Mode> {
    prop_oneof![Just(Mode::Strict), Just(Mode::Compat)]
}

fn compile(rule: &Value, mode: Mode) -> Program {
    Program::compile(rule, mode).unwrap_or_else(|errors| panic!("{rule}: {errors:?}"))
}

/// Contexts for brute force.
fn contexts(random: &mut Random, count: usize) -> Vec<Value> {
    (0..count).map(|_| crate::common::context(random)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_json_never_panics(rule in json(), data in json(), mode in modes()) {
        match Program::compile(&rule, mode) {
            Ok(program) => {
                let _ = program.eval(&data);
                let _ = program.test(&data);
                let _ = program.explain(&data).to_string();
                let _ = check_value(&program, &Ty::infer(&data));
                let _ = satisfiable(&[Term { program: &program, holds: true }], &Ty::from_schema(&data));
            }
            Err(errors) => {
                for error in errors {
                    prop_assert!(rule.pointer(&error.pointer).is_some(), "{}", error.pointer);
                }
            }
        }
    }

    #[test]
    fn any_rule_can_be_run_and_explained(mut r in random(), mode in modes()) {
        let rule = crate::common::rule(&mut r, 4);
        let data = crate::common::data(&mut r);
        if let Ok(program) = Program::compile(&rule, mode) {
            let explanation = program.explain(&data);
            let expected = match program.eval(&data) {
                Ok(value) => Outcome::Value(value),
                Err(error) => {
                    prop_assert!(rule.pointer(&error.pointer).is_some());
                    Outcome::Error(error)
                }
            };
            prop_assert_eq!(&explanation.outcome, &expected);
            let way = explanation.decisive();
            prop_assert!(way.iter().all(|node| node.outcome != Outcome::NotEvaluated));
        }
    }

    /// A boolean of strict mode is the one that json-logic-js gives, unless arrays
    /// were compared (strict compares them deeply, JavaScript by identity), `missing` met a null
    /// or an empty string, or `in` looked into an empty string. The predicates here do none of that.
    #[test]
    fn strict_agrees_with_compat_where_it_answers(mut r in random()) {
        let rule = crate::common::predicate(&mut r, 3);
        let (strict, compat) = (compile(&rule, Mode::Strict), compile(&rule, Mode::Compat));
        for data in contexts(&mut r, 8) {
            if let Ok(holds) = strict.test(&data) {
                prop_assert_eq!(compat.test(&data), Ok(holds), "{} on {}", rule, data);
            }
        }
    }

    /// A predicate that is decided before a field is known has that result whatever the field will be.
    #[test]
    fn what_is_decided_early_stays_decided(mut r in random(), mode in modes()) {
        let rule = crate::common::predicate(&mut r, 3);
        let program = compile(&rule, mode);
        let all = contexts(&mut r, 6);
        for data in &all {
            let fields = data.as_object().unwrap();
            for unknown in fields.keys() {
                let early = program.test_before(&Scope::new(fields, &[]), unknown);
                let values = all.iter().filter_map(|other| other.get(unknown)).chain([&Value::Null]);
                for value in values {
                    let mut whole = data.clone();
                    whole[unknown] = value.clone();
                    let known = program.test(&whole);
                    match &early {
                        Ok(Truth::Holds) => prop_assert_eq!(known, Ok(true), "{} on {}", rule, whole),
                        Ok(Truth::Fails) => prop_assert_eq!(known, Ok(false), "{} on {}", rule, whole),
                        Ok(Truth::Depends) => {}
                        Err(error) => prop_assert_eq!(known.as_ref(), Err(error), "{} on {}", rule, whole),
                    }
                }
            }
        }
    }

    #[test]
    fn a_small_budget_only_adds_errors(mut r in random(), mode in modes(), budget in 1..200_u64) {
        let rule = crate::common::rule(&mut r, 3);
        let data = crate::common::data(&mut r);
        let limits = Limits { max_cost: budget, ..Limits::default() };
        if let Ok(bounded) = Program::compile_with(&rule, mode, limits) {
            let free = compile(&rule, mode).eval(&data);
            match bounded.eval(&data) {
                Ok(value) => prop_assert_eq!(Ok(value), free),
                Err(error) if matches!(error.kind, EvalErrorKind::StepLimit { .. }) => {}
                Err(error) => prop_assert_eq!(Err(error), free),
            }
        }
    }

    #[test]
    fn the_solver_is_sound(mut r in random(), mixed in 0..4_u8) {
        let ty = Ty::from_schema(&crate::common::schema());
        let fields = crate::common::few_fields(&mut r);
        let terms: Vec<(Program, bool)> = (0..1 + r.below(3))
            .map(|i| {
                let mode = match mixed {
                    0 => Mode::Compat,
                    1 if i == 0 => Mode::Compat,
                    _ => Mode::Strict,
                };
                let depth = r.below(3);
                (compile(&crate::common::predicate_on(&mut r, &fields, depth), mode), r.below(2) == 0)
            })
            .collect();
        let borrowed: Vec<Term<'_>> =
            terms.iter().map(|(program, holds)| Term { program, holds: *holds }).collect();
        let answer = satisfiable(&borrowed, &ty);
        for data in contexts(&mut r, 60) {
            let results: Result<Vec<bool>, _> =
                terms.iter().map(|(p, holds)| p.test(&data).map(|got| got == *holds)).collect();
            let Ok(results) = results else { continue };
            let all = results.iter().all(|held| *held);
            match &answer {
                Sat::Never { reason } => prop_assert!(!all, "{:?} on {}: {}", borrowed, data, reason),
                Sat::Always => prop_assert!(all, "{:?} on {}", borrowed, data),
                Sat::Sometimes => {}
            }
        }
    }

    #[test]
    fn implication_is_sound(mut r in random(), mode in modes()) {
        let ty = Ty::from_schema(&crate::common::schema());
        let fields = crate::common::few_fields(&mut r);
        let a = compile(&crate::common::predicate_on(&mut r, &fields, 1), mode);
        let b = compile(&crate::common::predicate_on(&mut r, &fields, 1), mode);
        prop_assert!(implies(&a, &a, &ty), "{:?}", a);
        if implies(&a, &b, &ty) {
            for data in contexts(&mut r, 60) {
                if a.test(&data) == Ok(true) {
                    prop_assert_ne!(b.test(&data), Ok(false), "{:?} {:?} {}", a, b, data);
                }
            }
        }
    }

    #[test]
    fn a_checked_rule_meets_no_surprise(mut r in random()) {
        let ty = Ty::from_schema(&crate::common::schema());
        let rule = crate::common::expression(&mut r, 2);
        let Ok(program) = Program::compile(&rule, Mode::Strict) else { return Ok(()) };
        if check_value(&program, &ty).is_empty() {
            for data in contexts(&mut r, 20) {
                if let Err(error) = program.eval(&data) {
                    let surprise = matches!(
                        error.kind,
                        EvalErrorKind::MissingVariable { .. }
                            | EvalErrorKind::TypeMismatch { .. }
                            | EvalErrorKind::MixedComparison { .. }
                            | EvalErrorKind::NotBoolean { .. }
                    );
                    prop_assert!(!surprise, "{} on {}: {}", rule, data, error);
                }
            }
        }
    }

    #[test]
    fn thresholds_move_as_they_say(mut r in random(), mode in modes(), step in 1..4_i32) {
        let rule = crate::common::predicate(&mut r, 3);
        for pointer in numbers(&rule) {
            let answer = threshold(&rule, &pointer);
            let mut moved = rule.clone();
            let Some(number) = moved.pointer_mut(&pointer) else { continue };
            let lower = number.as_f64().unwrap() - f64::from(step);
            *number = json!(lower);
            let (high, low) = (compile(&rule, mode), compile(&moved, mode));
            for data in contexts(&mut r, 12) {
                // An error counts as in force.
                let (high, low) = (high.test(&data).unwrap_or(true), low.test(&data).unwrap_or(true));
                match answer {
                    Monotone::GrowsWhenLowered => prop_assert!(low || !high, "{} {} {}", rule, pointer, data),
                    Monotone::GrowsWhenRaised => prop_assert!(high || !low, "{} {} {}", rule, pointer, data),
                    Monotone::Unproven(_) => {}
                }
            }
        }
    }

    /// The type of a path is true of every context that the type describes.
    #[test]
    fn lookups_are_true(mut r in random()) {
        let ty = Ty::from_schema(&crate::common::schema());
        let data = crate::common::context(&mut r);
        for path in ["n", "k", "zz", "rows.0.p", "rows.1.q", "list.0", "s.x"] {
            let segments: Vec<&str> = path.split('.').collect();
            let there = data.pointer(&format!("/{}", segments.join("/"))).is_some();
            match ty.at(&segments) {
                Lookup::Found { optional, .. } => prop_assert!(there || optional, "{}", path),
                Lookup::Unknown { .. } => prop_assert!(!there, "{}", path),
                Lookup::Open => {}
            }
        }
    }
}

/// Pointers to every number literal in a rule.
fn numbers(rule: &Value) -> Vec<String> {
    let below =
        |key: &str, value: &Value| numbers(value).into_iter().map(|rest| format!("/{key}{rest}")).collect::<Vec<_>>();
    match rule {
        Value::Number(_) => vec![String::new()],
        Value::Array(items) => items.iter().enumerate().flat_map(|(i, item)| below(&i.to_string(), item)).collect(),
        Value::Object(fields) => fields.iter().flat_map(|(key, value)| below(key, value)).collect(),
        Value::Null | Value::Bool(_) | Value::String(_) => Vec::new(),
    }
}

#[test]
fn the_generators_reach_what_they_test() {
    // A law that is never put to the test proves nothing, so the interesting cases are counted.
    let ty = Ty::from_schema(&crate::common::schema());
    let mut r = Random::new(7);
    let (mut never, mut always, mut clean, mut moving) = (0, 0, 0, 0);
    for _ in 0..3000 {
        let a = compile(&crate::common::predicate(&mut r, 1), Mode::Strict);
        let b = compile(&crate::common::predicate(&mut r, 1), Mode::Strict);
        let terms = [Term { program: &a, holds: true }, Term { program: &b, holds: true }];
        never += usize::from(matches!(satisfiable(&terms, &ty), Sat::Never { .. }));
        always += usize::from(satisfiable(&terms[..1], &ty) == Sat::Always);
        if let Ok(program) = Program::compile(&crate::common::expression(&mut r, 2), Mode::Strict) {
            clean += usize::from(check_value(&program, &ty).is_empty());
        }
        let rule = crate::common::predicate(&mut r, 2);
        let proven = numbers(&rule).iter().any(|p| !matches!(threshold(&rule, p), Monotone::Unproven(_)));
        moving += usize::from(proven);
    }
    println!("never {never}, always {always}, clean {clean}, moving {moving} of 3000");
    assert!(never > 200 && always > 100 && clean > 1000 && moving > 500);
}
