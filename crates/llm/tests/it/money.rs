//! Money: the worst case is reserved before an attempt, and what it cost is committed after it.

use crate::common::{Setup, World, call};
use deed_llm::{MoneyBudget, Purse, Streaming, counted_input, provider, worst_case};
use deed_model::{ModelCost, ModelPrice};
use deed_ports::ModelErrorKind as K;
use deed_testkit::loopback::provider::{Dialect, Fault, ScriptedReply, Turn};
use std::sync::Arc;

const DIALECT: Dialect = Dialect::Chat;

fn price() -> ModelPrice {
    ModelPrice {
        model: "openai-chat:scripted-1".parse().unwrap(),
        input: 2_000_000,
        output: 8_000_000,
        cached_read: Some(500_000),
        cached_write: None,
        reasoning: None,
        image: None,
        tokens_per_image: None,
        free: false,
        long: None,
        retired: None,
        checked: None,
    }
}

fn world(turns: Vec<Turn>, limit: u64) -> (World, Arc<MoneyBudget>) {
    let mut setup = Setup::new(DIALECT, Streaming::On, turns);
    let budget = Arc::new(MoneyBudget::new(limit));
    setup.prices.models = vec![price()];
    setup.purse = Some(budget.clone() as Arc<dyn Purse>);
    (setup.build(), budget)
}

fn worst() -> u64 {
    let own = provider("openai-chat").unwrap();
    worst_case(&price(), &call(DIALECT), counted_input(&own, &call(DIALECT)).unwrap())
}

#[tokio::test]
async fn the_actual_cost_replaces_the_reservation() {
    let (World { client, .. }, budget) = world(vec![ScriptedReply::text("ok").into()], 1_000_000);
    let answer = client.ask(&call(DIALECT), 0).await.unwrap();
    // 12 tokens of input at 2, 8 cached at 0.5 and 12 of output at 8 for a million.
    let cost = ModelCost {
        reserved_micros: worst(),
        actual_micros: 124,
        currency: "USD".to_owned(),
        dated: "2026-01-01".to_owned(),
    };
    assert_eq!((answer.cost, budget.used()), (Some(cost), 124));
}

#[tokio::test]
async fn what_may_have_been_paid_for_stays_reserved() {
    let (World { client, .. }, budget) = world(vec![Fault::Cut.into(), ScriptedReply::text("ok").into()], 1_000_000);
    let answer = client.ask(&call(DIALECT), 0).await.unwrap();
    assert_eq!(answer.cost.unwrap().actual_micros, worst() + 124);
    assert_eq!(budget.used(), worst() + 124);
    for fault in [Fault::MissingUsage, Fault::NegativeUsage, Fault::InflatedUsage, Fault::RepeatedToolCallId] {
        let (World { client, .. }, budget) = world(vec![fault.into()], 1_000_000);
        let cost = match client.ask(&call(DIALECT), 0).await {
            Ok(answer) => answer.cost,
            Err(error) => error.spent.cost,
        };
        assert_eq!((cost.unwrap().actual_micros, budget.used()), (worst(), worst()), "{fault:?}");
    }
}

#[tokio::test]
async fn refused_requests_cost_nothing() {
    let (World { client, .. }, budget) = world(vec![Fault::Status(400, None).into()], 1_000_000);
    let error = client.ask(&call(DIALECT), 0).await.unwrap_err();
    assert_eq!((error.spent.cost.unwrap().actual_micros, budget.used()), (0, 0));
}

#[tokio::test]
async fn a_budget_that_does_not_hold_the_worst_case_sends_nothing() {
    let (World { client, server, .. }, budget) = world(vec![ScriptedReply::text("ok").into()], worst() - 1);
    let error = client.ask(&call(DIALECT), 0).await.unwrap_err();
    assert_eq!((error.kind, server.seen().len(), budget.used()), (K::OverBudget, 0, 0));
}

#[tokio::test]
async fn a_model_without_a_price_is_refused_under_a_budget_alone() {
    let mut setup = Setup::new(DIALECT, Streaming::On, vec![ScriptedReply::text("ok")]);
    setup.purse = Some(Arc::new(MoneyBudget::new(1_000_000)));
    let World { client, server, .. } = setup.build();
    let error = client.ask(&call(DIALECT), 0).await.unwrap_err();
    assert_eq!((error.kind, server.seen().len()), (K::NoPrice, 0));
    let World { client, .. } = Setup::new(DIALECT, Streaming::On, vec![ScriptedReply::text("ok")]).build();
    assert_eq!(client.ask(&call(DIALECT), 0).await.unwrap().cost, None);
}

#[test]
fn the_count_is_never_less_than_the_texts_and_leaves_images_out() {
    let long = "n\u{e9}ver less ".repeat(1000);
    for name in ["anthropic", "openai-chat", "openai", "gemini", "ollama"] {
        let own = provider(name).unwrap();
        let mut asked = crate::common::with_tool(call(DIALECT));
        let before = counted_input(&own, &asked).unwrap();
        asked.tools[0].input_schema["properties"]["data"] = serde_json::json!({"const": long});
        let after = counted_input(&own, &asked).unwrap();
        let least = if own.counts_o200k { 3000 } else { long.len() as u64 };
        assert!(after - before >= least, "{name}: {before} {after}");
        let with_image = crate::common::with_image(asked);
        assert!(counted_input(&own, &with_image).unwrap() - after < 100, "{name}");
    }
}

#[tokio::test]
async fn a_provider_without_an_address_is_refused_before_anything_is_reserved() {
    let mut setup = Setup::new(DIALECT, Streaming::On, vec![ScriptedReply::text("ok")]);
    let budget = Arc::new(MoneyBudget::new(1_000_000));
    setup.prices.models = vec![price()];
    setup.purse = Some(budget.clone() as Arc<dyn Purse>);
    setup.without_address = true;
    let World { client, server, log, .. } = setup.build();
    let error = client.ask(&call(DIALECT), 0).await.unwrap_err();
    assert_eq!((error.kind, budget.used()), (K::UnknownProvider, 0));
    assert!(error.message.ends_with("has no address of its own; give a base URL"), "{error}");
    assert!(server.seen().is_empty() && log.attempts.lock().unwrap().is_empty());
}
