//! The laws of the crate, over random schemas and instances.

use crate::common::{
    Law, OF_INSTANCES, OF_SCHEMAS, Random, Subject, instance, mutated, schema, shrink, sound, tokened,
};
use proptest::prelude::*;
use serde_json::Value;
use std::collections::BTreeMap;

/// Holds a schema and an instance to a law, and says what breaks it as briefly as can be.
fn hold(law: &Law, subject: &Subject, instance: &Value) -> Result<(), TestCaseError> {
    if (law.check)(subject, instance).is_ok() {
        return Ok(());
    }
    let fails = |schema: &Value, instance: &Value| {
        Subject::new(schema).is_some_and(|subject| (law.check)(&subject, instance).is_err())
    };
    let (schema, instance) = shrink(subject.schema.clone(), instance.clone(), &fails);
    let said = (law.check)(&Subject::new(&schema).unwrap(), &instance).unwrap_err();
    Err(TestCaseError::fail(format!("{}\nschema: {schema}\ninstance: {instance}\n{said}", law.name)))
}

fn cases(count: u32) -> ProptestConfig {
    ProptestConfig { cases: count, failure_persistence: None, max_shrink_iters: 0, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn every_law_holds(seed in any::<u64>()) {
        let mut random = Random::new(seed);
        let schema = schema(&mut random);
        let Some(subject) = Subject::new(&schema) else { return Ok(()) };
        for law in &OF_SCHEMAS {
            hold(law, &subject, &Value::Null)?;
        }
        for _ in 0..6 {
            let guess = instance(&mut random, &schema);
            for guess in [mutated(&mut random, &guess), guess] {
                for law in &OF_INSTANCES {
                    hold(law, &subject, &guess)?;
                }
            }
        }
    }

    #[test]
    fn whatever_is_filled_in_is_lowered_to_something_valid_or_refused_with_a_word(seed in any::<u64>()) {
        let mut random = Random::new(seed);
        let schema = schema(&mut random);
        let Some(subject) = Subject::new(&schema) else { return Ok(()) };
        let skeleton: Value = serde_json::from_str(subject.imprint.skeleton()).unwrap();
        for _ in 0..4 {
            let guess = instance(&mut random, &schema);
            let filled = subject.imprint.fill(&guess);
            let documents =
                [tokened(&mut random, &filled.document), tokened(&mut random, &skeleton), skeleton.clone(), guess];
            for document in documents {
                for supplied in [&filled.supplied, &BTreeMap::new()] {
                    let lowered = subject.imprint.lower(&document, supplied);
                    if let Err(said) = sound(&subject, &lowered) {
                        return Err(TestCaseError::fail(format!("{schema}\n{document}\n{said}")));
                    }
                }
            }
        }
    }
}

#[test]
fn enough_schemas_are_taken_and_enough_instances_are_valid() {
    let (mut taken, mut valid, mut tried) = (0, 0, 0);
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let schema = schema(&mut random);
        let Some(subject) = Subject::new(&schema) else { continue };
        taken += 1;
        for _ in 0..4 {
            tried += 1;
            valid += usize::from(subject.is_valid(&instance(&mut random, &schema)));
        }
    }
    assert!(taken > 40 && valid * 4 > tried, "{taken} schemas, {valid} of {tried} instances");
}
