//! Schemas of a pack: checked, not declared, not in the pack, not usable.

use crate::world::World;
use deed_model::{CriticVerdict, SchemaStatus};
use serde_json::{Value, json};

fn judged(vary: impl FnOnce(&mut Value)) -> deed_decision::Judged {
    let world = World::new("varied", |given| {
        given.request["input"]["context"]["refund_amount"] = json!(1200);
        vary(&mut given.pack["decision_layer"]);
    });
    world.judge(&world.draft("approved"))
}

#[test]
fn a_schema_that_the_pack_does_not_hold_is_stated_as_not_checked() {
    let found = judged(|layer| drop(layer.as_object_mut().unwrap().remove("schemas")));
    assert_eq!(
        (found.critique.schemas.inputs, found.critique.schemas.outputs),
        (SchemaStatus::NotFound, SchemaStatus::NotFound)
    );
    assert_eq!(found.critique.verdict, CriticVerdict::Accept);
    let notes: Vec<&str> = found.critique.findings.iter().map(|f| f.message.as_str()).collect();
    assert_eq!(notes[0], "not checked: the pack does not hold `schema://decision.support.refund.execute.inputs.v1`");
    assert_eq!(notes.len(), 2);
}

#[test]
fn a_spec_without_schemas_says_so() {
    let found = judged(|layer| {
        layer["decision_specs"][0].as_object_mut().unwrap().remove("inputs_schema_ref");
    });
    assert_eq!(
        (found.critique.schemas.inputs, found.critique.schemas.outputs),
        (SchemaStatus::NotDeclared, SchemaStatus::Checked)
    );
}

#[test]
fn a_schema_that_cannot_be_used_asks_for_a_person() {
    for broken in [json!({ "type": 3 }), json!({ "$ref": "https://elsewhere.example/x" }), json!("text")] {
        let found = judged(|layer| layer["schemas"]["decision.support.refund.execute.inputs.v1"] = broken);
        assert_eq!(found.critique.schemas.inputs, SchemaStatus::NotUsable);
        assert_eq!(found.critique.verdict, CriticVerdict::Escalate);
    }
}

#[test]
fn every_violation_has_its_place() {
    let world = World::new("small", |given| given.request["input"]["context"]["refund_amount"] = json!(1200));
    let mut draft = world.draft("approved");
    draft.inputs.insert("order_id".to_owned(), json!("881"));
    draft.inputs.insert("currency".to_owned(), json!("EUR"));
    let found = world.judge(&draft);
    let mut places: Vec<&str> = found.critique.findings.iter().map(|f| f.pointer.as_str()).collect();
    places.sort_unstable();
    assert_eq!(places, ["/inputs/currency", "/inputs/order_id"]);
    assert_eq!(found.critique.verdict, CriticVerdict::Replan);
}
