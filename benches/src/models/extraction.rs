//! JSON-Schema output, and fills of imprint templates: both climb the ladder, which has the last word.

use crate::client::Asker;
use crate::floors::Rates;
use crate::notes::{is_right, notes};
use deed_imprint::{Imprint, Supplied};
use deed_ladder::{Input, Ladder, climb};
use deed_model::{LadderOutcome, Phase, Proposals};
use deed_schema::Schema;
use serde_json::{Value, json};
use std::error::Error;

pub(crate) fn measure(asker: &Asker, rates: &mut Rates) -> Result<(), Box<dyn Error>> {
    let notes = notes();
    let (mut bound, mut bound_right) = (0, 0);
    let (mut lowered, mut filled, mut filled_right) = (0, 0, 0);
    for note in &notes {
        let ladder = ladder(&note.schema)?;
        let question = format!("Read this note.\n\n{}\n\nWrite its facts as JSON.", note.text);
        let reply = asker.ask(&asker.bound(&question, 120, &note.schema)?)?.text();
        if let Some(payload) = after(&ladder, &reply) {
            bound += 1;
            bound_right += usize::from(is_right(&payload, &note.facts));
        }
        let imprint = Imprint::new(Schema::new(note.schema.clone()).map_err(|refused| format!("{refused:?}"))?)
            .map_err(|refused| format!("{refused:?}"))?;
        let question = format!("Read this note.\n\n{}\n\n{}", note.text, imprint.text());
        let reply = asker.ask(&asker.call(&question, 120)?)?.text();
        let written = serde_json::from_str::<Value>(reply.trim()).ok();
        lowered +=
            usize::from(written.is_some_and(|value| imprint.lower(&value, &Supplied::default()).payload.is_some()));
        if let Some(payload) = after(&ladder, &reply) {
            filled += 1;
            filled_right += usize::from(is_right(&payload, &note.facts));
        }
    }
    rates.rate("schema-bound fills that are valid", bound, notes.len());
    rates.rate("schema-bound fills with every fact right", bound_right, notes.len());
    rates.rate("template fills that are valid as written", lowered, notes.len());
    rates.rate("template fills that are valid after the ladder", filled, notes.len());
    rates.rate("template fills with every fact right", filled_right, notes.len());
    Ok(())
}

fn ladder(schema: &Value) -> Result<Ladder, Box<dyn Error>> {
    let contract = serde_json::from_value(json!({"contract": "note", "schema": schema}))?;
    Ladder::new(contract).map_err(|faults| format!("{faults:?}").into())
}

/// The payload that the ladder accepts.
fn after(ladder: &Ladder, text: &str) -> Option<Value> {
    let climbed = climb(ladder, Input::Text(text), Phase::StepOutput, &Proposals::default());
    climbed.payload.filter(|_| climbed.report.outcome == LadderOutcome::Accepted)
}
