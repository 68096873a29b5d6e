//! The prompt of the evaluator that ships, over items whose verdict the sources decide.

use crate::client::Asker;
use crate::floors::Rates;
use deed_profile::{PromptLibrary, render};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::error::Error;

const PROMPT: &str = "workspace.operator.evaluator.system@v1";

/// An item: the criterion, the source, the claim, and the verdict.
const ITEMS: [(&str, &str, &str, &str); 8] = [
    ("The total agrees with the invoice.", "Invoice 12: total 480 EUR.", "Invoice 12 has a total of 480 EUR.", "pass"),
    ("The total agrees with the invoice.", "Invoice 12: total 480 EUR.", "Invoice 12 has a total of 840 EUR.", "fail"),
    ("The date agrees with the log.", "Log: the backup ended on 3 May.", "The backup ended on 3 May.", "pass"),
    ("The date agrees with the log.", "Log: the backup ended on 3 May.", "The backup ended on 9 June.", "fail"),
    ("The name agrees with the order.", "Order 7 is of Lena Ruiz.", "Lena Ruiz placed order 7.", "pass"),
    ("The name agrees with the order.", "Order 7 is of Lena Ruiz.", "Tom Berg placed order 7.", "fail"),
    ("The count agrees with the list.", "List: pump, valve, hose. Three parts.", "The list has three parts.", "pass"),
    ("The count agrees with the list.", "List: pump, valve, hose. Three parts.", "The list has seven parts.", "fail"),
];

pub(crate) fn measure(asker: &Asker, rates: &mut Rates) -> Result<(), Box<dyn Error>> {
    let library = PromptLibrary::of(None, &[]);
    let (_, prompt) = library.find(&PROMPT.parse()?).ok_or("the prompt of the evaluator does not ship")?;
    let (mut formed, mut right) = (0, 0);
    for (number, (criterion, source, claim, verdict)) in (1..).zip(ITEMS) {
        let values = BTreeMap::from([
            ("item_id".to_owned(), format!("item_{number}")),
            ("rubric".to_owned(), format!("1. {criterion}")),
            ("source_evidence".to_owned(), format!("input/source.txt (source)\n{source}")),
            ("derived_evidence".to_owned(), format!("output/claim.txt (derived)\n{claim}")),
        ]);
        let text = render(prompt, &values).map_err(|faults| format!("{faults:?}"))?;
        let reply = asker.ask(&asker.bound(&text, 220, &schema())?)?;
        let value = serde_json::from_str::<Value>(reply.text().trim()).unwrap_or(Value::Null);
        let own = reply.output == deed_model::OutputCheck::Valid && value["item_id"] == format!("item_{number}");
        formed += usize::from(own);
        right += usize::from(own && value["verdict"] == verdict);
    }
    rates.rate("verdicts of the evaluator in its form", formed, ITEMS.len());
    rates.rate("verdicts of the evaluator that are right", right, ITEMS.len());
    Ok(())
}

/// The form that the prompt asks for.
fn schema() -> Value {
    let verdict = json!({"type": "string", "enum": ["pass", "fail", "uncertain"]});
    let text = json!({"type": "string"});
    let object = |properties: Value| {
        let required: Vec<&String> = properties.as_object().into_iter().flatten().map(|(name, _)| name).collect();
        json!({"type": "object", "required": required, "properties": properties, "additionalProperties": false})
    };
    let evidence = json!({"type": "array", "maxItems": 2, "items": object(json!({"path": text, "quote": text}))});
    let criterion = object(json!({"criterion": text, "evidence": evidence, "reason": text, "verdict": verdict}));
    let criteria = json!({"type": "array", "minItems": 1, "maxItems": 1, "items": criterion});
    object(json!({"criteria": criteria, "item_id": text, "verdict": verdict}))
}
