//! Deed's own contracts as templates.

use super::example::{example, lowered, turned_down};
use serde_json::json;

#[test]
fn contracts_by_their_names() {
    let p = example();
    let by_name = p.ok(&["imprint", "template", "contract:run-context", "--skeleton"]).stdout;
    let by_file = p.ok(&["imprint", "template", "contract:run-context.v1.schema.json", "--skeleton"]).stdout;
    assert_eq!(by_name, by_file);
    assert!(by_name.contains("\"run_id\":\"{FILL|string|length:1-}"), "{by_name}");
    let filled =
        r#"{"run_id": "r_1", "tenant_id": "t_1", "safety_mode": "read_only", "intent": "{OPTIONAL|string|nullable}"}"#;
    let payload = lowered(&p, &["contract:run-context"], filled);
    assert_eq!(payload, json!({ "run_id": "r_1", "tenant_id": "t_1", "safety_mode": "read_only" }));
}

#[test]
fn contracts_that_are_not_there() {
    let p = example();
    turned_down(&p, &["template", "contract:run-contxt"], 1, "D1634", "did you mean `run-context`?");
    turned_down(&p, &["template", "contract:zzzzzz"], 1, "D1634", "the contracts are adapter-schema, audit-event");
    turned_down(&p, &["template", "contract:"], 1, "D1634", "run-context");
    // It is a name and not a path.
    turned_down(&p, &["template", "contract:../ticket.schema.json"], 1, "D1634", "there is no contract");
}
