//! Documents carried between two vocabularies of our own making: an order as a shop writes it, and an invoice as a
//! billing service does. Names, nesting and conventions differ; what has no place is told.

use deed_ladder::{TranslateError, Translated, translate};
use deed_model::LadderOutcome;
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn object(properties: Value, required: Value) -> Value {
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

/// An order as a shop writes it.
fn shop() -> Value {
    let customer = object(
        json!({ "email": { "type": "string" }, "first_name": { "type": "string" }, "last_name": { "type": "string" } }),
        json!(["email"]),
    );
    let line = object(
        json!({ "title": { "type": "string" }, "quantity": { "type": "integer" }, "price": { "type": "string" } }),
        json!(["title", "quantity", "price"]),
    );
    object(
        json!({
            "order_number": { "type": "integer" },
            "created_at": { "type": "string" },
            "currency": { "type": "string" },
            "note": { "type": "string" },
            "customer": customer,
            "line_items": { "type": "array", "items": line },
            "tags": { "type": "array", "items": { "type": "string" } },
        }),
        json!(["order_number", "line_items"]),
    )
}

/// An invoice as a billing service writes it.
fn billing() -> Value {
    let line = object(
        json!({ "description": { "type": "string" }, "quantity": { "type": "integer" }, "unit_amount": { "type": "number" } }),
        json!(["description"]),
    );
    object(
        json!({
            "number": { "type": "string" },
            "created": { "type": "string" },
            "currency": { "type": "string" },
            "customer_email": { "type": "string" },
            "customer_name": { "type": "string" },
            "memo": { "type": "string" },
            "lines": object(json!({ "data": { "type": "array", "items": line } }), json!(["data"])),
            "tags": { "type": "array", "items": { "type": "string" } },
        }),
        json!(["customer_email", "lines"]),
    )
}

fn order() -> Value {
    json!({
        "order_number": 1001,
        "created_at": "2024-05-01",
        "currency": "EUR",
        "customer": { "email": "ada@example.com", "last_name": "Okafor" },
        "line_items": [
            { "title": "Blue box", "quantity": 2, "price": "10.50" },
            { "title": "Red box", "quantity": 1, "price": "4.00" },
        ],
        "tags": ["gift", "rush"],
    })
}

fn words(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned())).collect()
}

fn carried(from: Value, to: Value, synonyms: &[(&str, &str)], document: &Value) -> Translated {
    translate(from, to, &words(synonyms), document).unwrap()
}

fn went(translated: &Translated) -> Vec<(&str, &str, &str)> {
    translated.placed.iter().map(|placed| (placed.from.as_str(), placed.to.as_str(), placed.rule)).collect()
}

const WORDS: [(&str, &str); 5] = [
    ("/line_items/*/title", "/lines/data/*/description"),
    ("/line_items/*/price", "/lines/data/*/unit_amount"),
    ("/customer/email", "/customer_email"),
    ("last_name", "customer_name"),
    ("created_at", "/created"),
];

#[test]
fn an_order_becomes_an_invoice() {
    let translated = carried(shop(), billing(), &WORDS, &order());
    assert_eq!(
        translated.document,
        Some(json!({
            "created": "2024-05-01",
            "currency": "EUR",
            "customer_email": "ada@example.com",
            "customer_name": "Okafor",
            "lines": { "data": [
                { "description": "Blue box", "quantity": 2, "unit_amount": 10.5 },
                { "description": "Red box", "quantity": 1, "unit_amount": 4 },
            ] },
            "tags": ["gift", "rush"],
        }))
    );
    assert_eq!(translated.report.outcome, LadderOutcome::Accepted);
    assert_eq!(
        went(&translated),
        [
            ("/created_at", "/created", "synonym"),
            ("/currency", "/currency", "same_path"),
            ("/customer/email", "/customer_email", "synonym"),
            ("/customer/last_name", "/customer_name", "synonym"),
            ("/line_items/*/price", "/lines/data/*/unit_amount", "synonym"),
            ("/line_items/*/quantity", "/lines/data/*/quantity", "same_name"),
            ("/line_items/*/title", "/lines/data/*/description", "synonym"),
            ("/tags", "/tags", "same_path"),
        ]
    );
    // A number is no text: the order's number stays behind and is named.
    let left: Vec<&str> = translated.unplaced.iter().map(|unplaced| unplaced.from.as_str()).collect();
    assert_eq!(left, ["/order_number"]);
    assert_eq!(translated.missing, Vec::<String>::new());
}

#[test]
fn the_way_there_and_back_keeps_what_was_carried() {
    let there = carried(shop(), billing(), &WORDS, &order());
    let back: Vec<(&str, &str)> = WORDS[..3].iter().map(|(from, to)| (*to, *from)).collect();
    let mut words = back;
    words.extend([("/customer_name", "/customer/last_name"), ("/created", "/created_at")]);
    // The shop's prices are text, and numbers do not become text by themselves.
    let mut shop = shop();
    shop["properties"]["line_items"]["items"]["properties"]["price"] = json!({ "type": "number" });
    let back = carried(billing(), shop, &words, &there.document.unwrap());
    let mut expected = order();
    expected.as_object_mut().unwrap().remove("order_number");
    expected["line_items"][0]["price"] = json!(10.5);
    expected["line_items"][1]["price"] = json!(4);
    assert_eq!(back.document, Some(expected));
    assert_eq!(back.missing, ["/order_number"]);
    assert_eq!(back.report.outcome, LadderOutcome::Rejected);
}

#[test]
fn likeness_finds_places_that_nobody_named() {
    let translated = carried(shop(), billing(), &[], &order());
    let to = |from: &str| went(&translated).into_iter().find(|went| went.0 == from).map(|went| (went.1, went.2));
    assert_eq!(to("/customer/email"), Some(("/customer_email", "vector")));
    assert_eq!(to("/line_items/*/quantity"), Some(("/lines/data/*/quantity", "same_name")));
    assert!(translated.placed.iter().all(|placed| (1..=1000).contains(&placed.confidence)));
    let told = translated.placed.len() + translated.unplaced.len();
    assert_eq!(told, 9, "every field is placed or named: {translated:?}");
}

#[test]
fn ties_are_named_and_left() {
    let from = object(json!({ "address": { "type": "string" } }), json!([]));
    let to =
        object(json!({ "billing_address": { "type": "string" }, "shipping_address": { "type": "string" } }), json!([]));
    let translated = carried(from, to, &[], &json!({ "address": "Main St 1" }));
    assert_eq!(translated.document, Some(json!({})));
    assert_eq!(translated.unplaced[0].from, "/address");
    let reason = &translated.unplaced[0].reason;
    assert!(reason.contains("/billing_address") || reason.contains("/shipping_address"), "{reason}");
}

#[test]
fn two_fields_that_want_one_place_both_stay_behind() {
    let from = object(json!({ "a": { "type": "string" }, "b": { "type": "string" } }), json!([]));
    let to = object(json!({ "c": { "type": "string" } }), json!([]));
    let translated = carried(from, to, &[("a", "c"), ("b", "c")], &json!({ "a": "1", "b": "2" }));
    assert_eq!(translated.document, Some(json!({})));
    let left: Vec<&str> = translated.unplaced.iter().map(|unplaced| unplaced.from.as_str()).collect();
    assert_eq!(left, ["/a", "/b"]);
}

#[test]
fn a_name_that_says_little_is_not_enough() {
    let from = object(json!({ "id": { "type": "string" } }), json!([]));
    let to = object(json!({ "customer": object(json!({ "id": { "type": "string" } }), json!([])) }), json!([]));
    let translated = carried(from, to, &[], &json!({ "id": "7" }));
    assert_eq!((translated.document, translated.unplaced.len()), (Some(json!({})), 1));
}

#[test]
fn what_is_required_and_missing_is_named() {
    let translated = carried(shop(), billing(), &[], &json!({ "order_number": 1, "line_items": [] }));
    assert_eq!(translated.report.outcome, LadderOutcome::Rejected);
    assert!(translated.missing.contains(&"/customer_email".to_owned()), "{:?}", translated.missing);
}

#[test]
fn items_may_lack_fields() {
    let mut shop = shop();
    shop["properties"]["line_items"]["items"]["required"] = json!([]);
    let mut order = order();
    order["line_items"] = json!([{ "title": "Blue box" }, {}, { "title": "Red box", "quantity": 3 }]);
    let words = [("/line_items/*/title", "/lines/data/*/description"), ("/customer/email", "/customer_email")];
    let translated = carried(shop, billing(), &words, &order);
    let lines = translated.document.unwrap()["lines"]["data"].clone();
    assert_eq!(lines, json!([{ "description": "Blue box" }, {}, { "description": "Red box", "quantity": 3 }]));
    assert_eq!(translated.report.outcome, LadderOutcome::Rejected, "the second line has no description");
}

#[test]
fn a_document_that_is_not_of_its_own_schema_is_refused() {
    let wrong = json!({ "order_number": "1001", "line_items": [], "surprise": 1 });
    match translate(shop(), billing(), &words(&[]), &wrong) {
        Err(TranslateError::NotOfItsSchema(faults)) => {
            assert_eq!(faults.len(), 2, "{faults:?}");
            assert!(faults[0].starts_with("/order_number: ") && faults[1].starts_with("/surprise: "), "{faults:?}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn schemas_that_are_none_are_refused_by_name() {
    let which = |from: Value, to: Value| match translate(from, to, &words(&[]), &json!({})) {
        Err(TranslateError::Schema { which, .. }) => which,
        other => panic!("{other:?}"),
    };
    assert_eq!(which(json!({ "type": "objekt" }), billing()), "from");
    assert_eq!(which(object(json!({}), json!([])), json!({ "type": 5 })), "to");
}

#[test]
fn a_place_that_is_taken_is_given_to_nobody_else() {
    let text = json!({ "type": "string" });
    let from = object(json!({ "a": text, "c": text }), json!([]));
    let translated =
        carried(from, object(json!({ "c": text }), json!([])), &[("a", "c")], &json!({ "a": "1", "c": "2" }));
    assert_eq!(translated.document, Some(json!({ "c": "1" })));
    assert_eq!(went(&translated), [("/a", "/c", "synonym")]);
    assert_eq!(translated.unplaced[0].from, "/c");
}

#[test]
fn the_same_words_give_the_same_document() {
    let once = carried(shop(), billing(), &WORDS, &order());
    let twice = carried(shop(), billing(), &WORDS, &order());
    assert_eq!(once, twice);
}

#[test]
fn two_lists_are_never_laid_over_each_other() {
    let text = json!({ "type": "string" });
    let list = |name: &str| json!({ "type": "array", "items": object(json!({ name: text }), json!([])) });
    let from = object(json!({ "products": list("sku"), "taxes": list("rate") }), json!([]));
    let line = object(json!({ "sku": text, "rate": text }), json!([]));
    let to = object(json!({ "lines": { "type": "array", "items": line } }), json!([]));
    let document = json!({ "products": [{ "sku": "A" }, { "sku": "B" }], "taxes": [{ "rate": "19" }] });
    let translated = carried(from, to, &[("sku", "sku"), ("rate", "rate")], &document);
    assert_ne!(translated.document, Some(json!({ "lines": [{ "sku": "A", "rate": "19" }, { "sku": "B" }] })));
}

#[test]
fn an_empty_list_is_carried() {
    let item = object(json!({ "sku": { "type": "string" } }), json!([]));
    let both = object(json!({ "items": { "type": "array", "items": item } }), json!(["items"]));
    let translated = carried(both.clone(), both, &[], &json!({ "items": [] }));
    assert_eq!(translated.document, Some(json!({ "items": [] })));
    assert_eq!(translated.report.outcome, LadderOutcome::Accepted);
}

#[test]
fn an_empty_list_goes_where_its_like_go_and_overwrites_nothing() {
    let item = object(json!({ "sku": { "type": "string" } }), json!([]));
    let list = json!({ "type": "array", "items": item });
    let old = object(
        json!({ "orders": { "type": "array", "items": object(json!({ "goods": list }), json!([])) } }),
        json!([]),
    );
    let new = object(
        json!({ "orders": { "type": "array", "items": object(json!({ "wares": list }), json!([])) } }),
        json!([]),
    );
    let document = json!({ "orders": [{ "goods": [] }, { "goods": [{ "sku": "A" }] }] });
    let translated = carried(old, new, &[("sku", "sku")], &document);
    assert_eq!(translated.document, Some(json!({ "orders": [{ "wares": [] }, { "wares": [{ "sku": "A" }] }] })));
    assert!(translated.unplaced.is_empty(), "{:?}", translated.unplaced);

    let old = object(json!({ "items": list, "rows": list }), json!([]));
    let new = object(json!({ "items": list }), json!([]));
    let translated = carried(old, new, &[], &json!({ "items": [], "rows": [{ "sku": "A" }] }));
    assert_eq!(translated.placed.len() + translated.unplaced.len(), 2, "{translated:?}");
    assert_eq!(translated.placed.len(), 1, "{translated:?}");
}

/// An object within objects, a text in the innermost.
fn nested(depth: usize, name: &str) -> (Value, Value) {
    (0..depth)
        .fold((object(json!({ name: { "type": "string" } }), json!([])), json!({ name: "x" })), |(schema, value), _| {
            (object(json!({ "down": schema }), json!([])), json!({ "down": value }))
        })
}

#[test]
fn a_deep_field_is_placed_by_its_path_or_named() {
    for depth in [5, 11, 12, 13, 20, 40] {
        let (schema, document) = nested(depth, "innermost");
        let translated = carried(schema.clone(), schema, &[], &document);
        assert_eq!(translated.document, Some(document), "{depth}");
        assert!(translated.unplaced.is_empty(), "{depth}: {:?}", translated.unplaced);
    }
    let (old, document) = nested(20, "innermost");
    let translated = carried(old, nested(20, "elsewhere").0, &[], &document);
    assert_eq!(translated.unplaced.len(), 1);
    assert!(translated.unplaced[0].reason.contains("deeper than 12 levels"), "{:?}", translated.unplaced);
}

#[test]
fn a_schema_within_itself_has_an_end() {
    let keys: Value =
        ["a", "b", "c", "d", "e"].map(|key| (key.to_owned(), json!({ "$ref": "#" }))).into_iter().collect();
    let mut schema = json!({ "type": "object", "properties": keys });
    schema["properties"]["name"] = json!({ "type": "string" });
    let document = json!({ "a": { "b": { "name": "x" } } });
    let translated = carried(schema.clone(), schema, &[], &document);
    assert_eq!(translated.document, Some(document));
}

#[test]
fn a_synonym_that_leads_nowhere_is_refused() {
    let result = translate(shop(), billing(), &words(&[("/customer/email", "/customer/mail_adress")]), &order());
    assert!(matches!(result, Err(TranslateError::Synonyms(_))), "{result:?}");
}

fn pair(document: &Value) -> Translated {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/ladder");
    let read = |name: &str| {
        let bytes = std::fs::read(format!("{folder}/{name}")).unwrap();
        let format = if name.ends_with(".yaml") { deed_diag::Format::Yaml } else { deed_diag::Format::Json };
        deed_diag::Document::read(name, &bytes, format).unwrap().value().clone()
    };
    let contract: deed_model::LadderContract = serde_json::from_value(read("stripe.invoice.contract.yaml")).unwrap();
    let translation = deed_ladder::Translation {
        from: read("shopify.order.schema.json"),
        to: contract.schema.clone(),
        synonyms: BTreeMap::new(),
        mapping: serde_json::from_value(read("shopify-to-stripe.mapping.yaml")).unwrap(),
        contract: Some(contract),
    };
    translation.apply(document).unwrap()
}

fn shopify_order() -> Value {
    serde_json::from_str(include_str!("../../../../examples/ladder/shopify.order.json")).unwrap()
}

#[test]
fn a_shopify_order_becomes_a_stripe_invoice() {
    let translated = pair(&shopify_order());
    assert_eq!(translated.unplaced, []);
    assert_eq!(translated.missing, Vec::<String>::new());
    assert_eq!(translated.report.outcome, LadderOutcome::Accepted, "{:#?}", translated.report.findings);
    let line = |nickname: &str, quantity: u32| json!({ "description": "IPod Nano - 8gb", "quantity": quantity, "price": { "unit_amount": 19900, "nickname": nickname } });
    let invoice = json!({
        "object": "invoice", "number": "1001", "created": 1_199_980_800, "currency": "usd", "status": "paid",
        "description": "Deliver after five", "customer_email": "bob.norman@example.com", "customer_name": "Bob Norman",
        "customer_phone": "555-625-1199",
        "customer_address": { "line1": "Chestnut Street 92", "city": "Louisville", "postal_code": "40202", "country": "US" },
        "subtotal": 59700, "tax": 194, "total": 59894, "metadata": { "order_id": "450789469" },
        "lines": { "object": "list", "data": [line("IPOD2008PINK", 1), line("IPOD2008RED", 2)] },
    });
    assert_eq!(translated.document, Some(invoice));
}

#[test]
fn what_cannot_be_converted_is_named_with_its_reason() {
    let mut order = shopify_order();
    order["financial_status"] = json!("refunded");
    order["currency"] = json!("JPY");
    order["line_items"][0]["price"] = json!("on request");
    let translated = pair(&order);
    let told: Vec<(&str, &str)> = translated.unplaced.iter().map(|u| (u.from.as_str(), u.reason.as_str())).collect();
    let yen = "its unit at `/currency` is `JPY`, and not `USD`";
    assert_eq!(
        told,
        [
            ("/financial_status", "no value is listed for `refunded`"),
            ("/line_items/*/price", "`on request` is no number to scale"),
            ("/subtotal_price", yen),
            ("/total_price", yen),
            ("/total_tax", yen),
        ]
    );
    assert_eq!(translated.missing, ["/status", "/total"]);
    assert_eq!(translated.report.outcome, LadderOutcome::Rejected);
}

#[test]
fn a_contract_of_another_schema_is_refused() {
    let contract = serde_json::from_value(json!({ "contract": "x", "schema": { "type": "object" } })).unwrap();
    let translation = deed_ladder::Translation {
        from: json!({}),
        to: json!({}),
        synonyms: BTreeMap::new(),
        mapping: deed_model::LadderMapping::default(),
        contract: Some(contract),
    };
    assert_eq!(translation.apply(&json!({})).unwrap_err(), TranslateError::OtherSchema);
}

/// A document with one field in one object, carried to a field in another object.
fn carried_between(from: (&str, &str), to: (&str, &str)) -> Translated {
    let schema = |(parent, leaf): (&str, &str)| {
        let inner = object(json!({ leaf: { "type": "string" } }), json!([]));
        object(json!({ parent: inner }), json!([]))
    };
    translate(schema(from), schema(to), &BTreeMap::new(), &json!({ from.0: { from.1: "X" } })).unwrap()
}

#[test]
fn fields_are_not_carried_between_opposite_parents() {
    let opposites = [
        ("shipping", "billing"),
        ("shipping_address", "billing_address"),
        ("buyer", "seller"),
        ("net", "gross"),
        ("from", "to"),
        ("source", "target"),
        ("source", "destination"),
        ("old", "new"),
        ("before", "after"),
        ("min", "max"),
        ("sender", "recipient"),
        ("origin", "destination"),
        ("payer", "payee"),
        ("pickup", "dropoff"),
        ("previous", "current"),
        ("start", "end"),
        ("input", "output"),
        ("employee", "manager"),
        ("home", "work"),
        ("debit", "credit"),
        ("applicant", "spouse"),
        ("planned", "actual"),
    ];
    let mut wrong = Vec::new();
    for (one, other) in opposites {
        for (parent, target) in [(one, other), (other, one)] {
            for (leaf, place) in
                [("street", "street"), ("postal_code", "zip"), ("amount", "amount"), ("first_name", "firstName")]
            {
                let placed = carried_between((parent, leaf), (target, place)).placed;
                wrong
                    .extend(placed.first().map(|placed| format!("{} -> {} ({})", placed.from, placed.to, placed.rule)));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of 176: {wrong:#?}", wrong.len());
}

#[test]
fn fields_are_carried_between_parents_of_one_meaning() {
    for (parent, target) in
        [("customer", "client"), ("customer", "Customer"), ("data", "order"), ("shipping", "delivery")]
    {
        let placed = carried_between((parent, "street"), (target, "street")).placed;
        assert_eq!(placed.len(), 1, "{parent} and {target}");
    }
}
