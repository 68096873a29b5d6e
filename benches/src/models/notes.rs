//! The notes of the tasks, with the facts that they state.

use serde_json::{Value, json};

/// A note, the schema of what is read from it, and the facts.
pub(crate) struct Note {
    pub(crate) text: &'static str,
    pub(crate) schema: Value,
    pub(crate) facts: Value,
}

fn object(properties: Value) -> Value {
    let required: Vec<&String> = properties.as_object().into_iter().flatten().map(|(name, _)| name).collect();
    json!({"type": "object", "required": required, "properties": properties, "additionalProperties": false})
}

/// Ten notes. Names and amounts are made up.
pub(crate) fn notes() -> Vec<Note> {
    let (text, whole, number, yes) = (
        || json!({"type": "string"}),
        || json!({"type": "integer"}),
        || json!({"type": "number"}),
        || json!({"type": "boolean"}),
    );
    let one = |names: &[&str]| json!({"type": "string", "enum": names});
    let note = |text, properties, facts| Note { text, schema: object(properties), facts };
    vec![
        note(
            "Order 771 of Berta Kowal: 4 lamps, paid by card.",
            json!({"order": whole(), "customer": text(), "lamps": whole(), "payment": one(&["card", "cash"])}),
            json!({"order": 771, "customer": "Berta Kowal", "lamps": 4, "payment": "card"}),
        ),
        note(
            "The pump in hall 3 stopped at 21:40. Nobody was hurt.",
            json!({"machine": text(), "hall": whole(), "time": text(), "injured": yes()}),
            json!({"machine": "pump", "hall": 3, "time": "21:40", "injured": false}),
        ),
        note(
            "Room 12 costs 85.5 EUR a night and has a bath. It is free.",
            json!({"room": whole(), "price": number(), "currency": one(&["EUR", "USD"]), "free": yes()}),
            json!({"room": 12, "price": 85.5, "currency": "EUR", "free": true}),
        ),
        note(
            "Train RX 5 to Gera leaves platform 7 with a delay of 15 minutes.",
            json!({"train": text(), "to": text(), "platform": whole(), "delay_minutes": whole()}),
            json!({"train": "RX 5", "to": "Gera", "platform": 7, "delay_minutes": 15}),
        ),
        note(
            "Invoice A-90 over 1200 USD is overdue since May.",
            json!({"invoice": text(), "amount": number(), "currency": one(&["EUR", "USD"]), "overdue": yes()}),
            json!({"invoice": "A-90", "amount": 1200, "currency": "USD", "overdue": true}),
        ),
        note(
            "Sample 31 has a pH of 6.8 and is clear.",
            json!({"sample": whole(), "ph": number(), "look": one(&["clear", "cloudy"])}),
            json!({"sample": 31, "ph": 6.8, "look": "clear"}),
        ),
        note(
            "Please book a table for 6 people at 19:30 in the name of Ostrov.",
            json!({"name": text(), "people": whole(), "time": text()}),
            json!({"name": "Ostrov", "people": 6, "time": "19:30"}),
        ),
        note(
            "Ticket 5508: the printer on floor 2 is out of toner, priority low.",
            json!({"ticket": whole(), "device": text(), "floor": whole(), "priority": one(&["low", "high"])}),
            json!({"ticket": 5508, "device": "printer", "floor": 2, "priority": "low"}),
        ),
        note(
            "The film Harbour runs for 104 minutes and may be seen from 12 years on.",
            json!({"title": text(), "minutes": whole(), "age": whole()}),
            json!({"title": "Harbour", "minutes": 104, "age": 12}),
        ),
        note(
            "Parcel K-17 weighs 2.25 kg, goes to Oslo and is insured.",
            json!({"parcel": text(), "kilograms": number(), "city": text(), "insured": yes()}),
            json!({"parcel": "K-17", "kilograms": 2.25, "city": "Oslo", "insured": true}),
        ),
    ]
}

/// Returns true if every fact is there: texts without regard to case and to words around them.
pub(crate) fn is_right(payload: &Value, facts: &Value) -> bool {
    let same = |found: &Value, fact: &Value| match (found, fact) {
        (Value::String(found), Value::String(fact)) => found.to_lowercase().contains(&fact.to_lowercase()),
        (Value::Number(found), Value::Number(fact)) => found.as_f64() == fact.as_f64(),
        (found, fact) => found == fact,
    };
    facts.as_object().into_iter().flatten().all(|(name, fact)| same(&payload[name], fact))
}
