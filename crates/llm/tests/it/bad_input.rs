//! Bad input: every protocol, as a whole and as a stream, times every fault that an endpoint, a key, a table or a file can
//! have. Each ends with its code, its place and its fix; and every request that the server saw is an attempt on record.

use crate::common::{IMAGE, KEY, Log, Setup, World, call, with_image, with_schema, with_tool};
use deed_egress::StreamTiming;
use deed_llm::{
    MoneyBudget, PriceFault, Purse, RetryPolicy, Streaming, ask_valid, builtin_prices, check_prices, diagnostic,
    provider,
};
use deed_model::{AttemptPayment, ModelPrice};
use deed_ports::{Model, ModelError, ModelErrorKind as K, SpentCall};
use deed_testkit::loopback::provider::{Dialect, Fault, ScriptedReply, Turn};
use std::sync::Arc;
use std::time::Duration;

const MODES: [Streaming; 2] = [Streaming::Off, Streaming::On];
const INVALID_KEY: &str = r#"{"error": {"code": 400, "message": "API key not valid.", "status": "INVALID_ARGUMENT", "details": [{"reason": "API_KEY_INVALID"}]}}"#;
const NO_MODEL: &str = r#"{"error": {"code": "model_not_found", "message": "no such model"}}"#;
const NO_MONEY: &str = r#"{"error": {"code": "insufficient_quota", "message": "pay first"}}"#;

/// What a fault has to lead to.
struct Case {
    name: &'static str,
    turn: Turn,
    kind: K,
    code: &'static str,
    /// The requests that the server sees, retries included.
    requests: usize,
}

fn case(name: &'static str, fault: Fault, kind: K, code: &'static str, requests: usize) -> Case {
    Case { name, turn: fault.into(), kind, code, requests }
}

/// Faults that an endpoint has every time, in the order of their codes.
fn cases() -> Vec<Case> {
    vec![
        case("unknown model", Fault::Status(404, None), K::UnknownModel, "D2702", 1),
        case("unknown model by its code", Fault::Refusal(400, "", NO_MODEL), K::UnknownModel, "D2702", 1),
        case("revoked key", Fault::Status(401, None), K::RefusedKey, "D2704", 1),
        case("key without rights", Fault::Status(403, None), K::RefusedKey, "D2704", 1),
        case("invalid key by its reason", Fault::Refusal(400, "", INVALID_KEY), K::RefusedKey, "D2704", 1),
        case("refused request", Fault::Status(400, None), K::Rejected, "D2710", 1),
        case("request timeout", Fault::Status(408, None), K::RateLimited, "D2711", 4),
        case("rate limit", Fault::Status(429, None), K::RateLimited, "D2711", 4),
        case("account without money", Fault::Refusal(429, "", NO_MONEY), K::RateLimited, "D2711", 1),
        case("wait that is too long", Fault::Status(429, Some(86_400)), K::RateLimited, "D2711", 1),
        case("server error", Fault::Status(500, None), K::ServerFailed, "D2712", 4),
        case("unavailable", Fault::Status(503, None), K::ServerFailed, "D2712", 4),
        case("overloaded", Fault::Status(529, None), K::ServerFailed, "D2712", 4),
        case("redirect", Fault::Redirect, K::Redirected, "D2713", 1),
        case("page", Fault::Page, K::NotJson, "D2714", 1),
        case("no answer", Fault::Silent, K::TimedOut, "D2715", 1),
        case("drip without an end", Fault::Drip, K::TimedOut, "D2715", 1),
        case("cut in the middle", Fault::Cut, K::Cut, "D2716", 2),
        case("no UTF-8", Fault::InvalidUtf8, K::BadUtf8, "D2717", 1),
        case("endless", Fault::Endless, K::TooLarge, "D2718", 1),
        case("200 MB", Fault::Huge(200), K::TooLarge, "D2718", 1),
        case("repeated id of a call", Fault::RepeatedToolCallId, K::RepeatedToolCallId, "D2720", 1),
        case("negative usage", Fault::NegativeUsage, K::BadUsage, "D2721", 1),
    ]
}

/// The limit of an answer in these tests, and what may lie in buffers of the system beyond it.
const LIMIT: usize = 1 << 18;
const BUFFERS: u64 = 16 << 20;

fn setup(dialect: Dialect, mode: Streaming, turn: &Turn) -> (Setup, Arc<MoneyBudget>) {
    let mut setup = Setup::new(dialect, mode, vec![turn.clone()]);
    setup.max_response_bytes = LIMIT;
    // A loaded machine may take as long as it likes.
    let day = Duration::from_secs(24 * 3600);
    setup.timing = StreamTiming { total: day, idle: day };
    if matches!(turn.fault, Some(Fault::Silent | Fault::Drip)) {
        // Not idle, and yet without an end.
        setup.timing = StreamTiming { total: Duration::from_millis(300), idle: Duration::from_secs(20) };
    }
    let price = serde_json::json!({"model": call(dialect).model, "input": 1_000_000, "output": 2_000_000});
    setup.prices.models = vec![serde_json::from_value::<ModelPrice>(price).unwrap()];
    let purse = Arc::new(MoneyBudget::new(u64::MAX));
    setup.purse = Some(purse.clone() as Arc<dyn Purse>);
    (setup, purse)
}

/// A code, a fix, and no key in any of it.
fn explained(error: &ModelError, code: &str, case: &str) {
    let shown = diagnostic(error);
    assert_eq!(shown.code.to_string(), code, "{case}: {error}");
    assert!(!shown.message.is_empty() && shown.help.as_ref().is_some_and(|help| !help.is_empty()), "{case}");
    assert!(deed_diag::explain(code).is_some(), "{case}: {code} has no page");
    assert!(!format!("{error:?} {shown:?}").contains(KEY), "{case}");
}

/// Every request that the server saw is an attempt on record, and what it may have cost is committed.
fn seen_and_paid(spent: &SpentCall, log: &Log, server: usize, used: u64, case: &str) {
    assert_eq!((spent.attempts.len(), spent.exchanges.len()), (server, server), "{case}: each request is on record");
    assert_eq!(*log.attempts.lock().unwrap(), spent.attempts, "{case}: each attempt is written down");
    let cost = spent.cost.as_ref().unwrap();
    assert_eq!(cost.actual_micros, used, "{case}: the budget and the record agree");
    let paid = spent.attempts.iter().filter(|attempt| attempt.payment != AttemptPayment::None).count() as u64;
    let worst = cost.reserved_micros / server as u64;
    assert_eq!(cost.actual_micros, paid * worst, "{case}: nothing is paid for unseen");
}

#[tokio::test]
async fn every_fault_of_an_endpoint_has_its_code_its_fix_and_its_record() {
    for own in cases() {
        for dialect in Dialect::ALL {
            for mode in MODES {
                let case = format!("{} {dialect:?} {mode:?}", own.name);
                let (setup, purse) = setup(dialect, mode, &own.turn);
                let World { client, server, log, .. } = setup.build();
                let error = client.ask(&with_tool(call(dialect)), 0).await.expect_err(&case);
                assert_eq!(error.kind, own.kind, "{case}: {error}");
                explained(&error, own.code, &case);
                let place = format!("`{}`: ", call(dialect).model);
                assert!(error.message.starts_with(&place), "{case}: {error} has no place");
                assert_eq!(server.seen().len(), own.requests, "{case}");
                seen_and_paid(&error.spent, &log, own.requests, purse.used(), &case);
                let kept: usize = error.spent.exchanges.iter().map(|exchange| exchange.response.len()).sum();
                assert!(kept <= LIMIT && server.taken() <= LIMIT as u64 + BUFFERS, "{case}: memory is bounded");
            }
        }
    }
}

/// Faults that are found before anything leaves.
#[tokio::test]
async fn what_is_wrong_before_a_call_sends_nothing() {
    for dialect in Dialect::ALL {
        let unsent = |setup: Setup, asked: deed_model::ModelCall| async move {
            let World { client, server, log, .. } = setup.build();
            let error = client.ask(&asked, 0).await.unwrap_err();
            assert!(server.seen().is_empty() && error.spent.cost.is_none_or(|cost| cost.actual_micros == 0));
            assert!(log.attempts.lock().unwrap().iter().all(|attempt| attempt.payment == AttemptPayment::None));
            (error.kind, diagnostic(&ModelError::new(error.kind, error.message)).code.to_string())
        };
        let fresh = || Setup::new(dialect, Streaming::On, vec![ScriptedReply::text("ok")]);
        let mut keyless = fresh();
        keyless.provider = keyless.provider.with_secret("absent");
        assert_eq!(unsent(keyless, call(dialect)).await, (K::MissingKey, "D2703".to_owned()), "{dialect:?}");
        let other = if dialect == Dialect::Gemini { Dialect::Chat } else { Dialect::Gemini };
        assert_eq!(unsent(fresh(), call(other)).await, (K::UnknownProvider, "D2701".to_owned()), "{dialect:?}");
        let mut unpriced = fresh();
        unpriced.purse = Some(Arc::new(MoneyBudget::new(1_000_000)));
        assert_eq!(unsent(unpriced, call(dialect)).await, (K::NoPrice, "D2706".to_owned()), "{dialect:?}");
        let (mut poor, _) = setup(dialect, Streaming::On, &ScriptedReply::text("ok").into());
        poor.purse = Some(Arc::new(MoneyBudget::new(1)));
        assert_eq!(unsent(poor, call(dialect)).await, (K::OverBudget, "D2707".to_owned()), "{dialect:?}");
        let mut pdf = with_image(call(dialect));
        pdf.attachments[0].media_type = "application/pdf".to_owned();
        assert_eq!(unsent(fresh(), pdf).await, (K::Unencodable, "D2705".to_owned()), "{dialect:?}");
        assert!(!IMAGE.is_empty());
        let mut closed = fresh();
        closed.provider = closed.provider.at("http://127.0.0.1:9", true).unwrap();
        assert_eq!(unsent(closed, call(dialect)).await, (K::Unreachable, "D2709".to_owned()), "{dialect:?}");
    }
    let unknown = provider("antropic").unwrap_err();
    explained(&unknown, "D2701", "unknown provider");
}

/// Missing usage is a note, and the reservation is committed.
#[tokio::test]
async fn missing_usage_commits_the_reservation() {
    for dialect in Dialect::ALL {
        for mode in MODES {
            let (setup, purse) = setup(dialect, mode, &Fault::MissingUsage.into());
            let World { client, .. } = setup.build();
            let cost = client.ask(&call(dialect), 0).await.unwrap().cost.unwrap();
            assert_eq!((cost.actual_micros, purse.used()), (cost.reserved_micros, cost.reserved_micros), "{dialect:?}");
        }
    }
}

/// Ten replies that violate the schema are ten calls, each with its own record and price, and then an error.
#[test]
fn a_reply_that_violates_its_schema_ten_times_is_paid_ten_times_and_seen_ten_times() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let _inside = runtime.enter();
    for dialect in Dialect::ALL {
        for mode in MODES {
            let (setup, purse) = setup(dialect, mode, &Fault::SchemaViolation.into());
            let World { client, server, log, .. } = setup.build();
            let model = deed_llm::BlockingClient::new(client, runtime.handle().clone());
            let error = ask_valid(&model as &dyn Model, &with_schema(call(dialect)), 0, 10).unwrap_err();
            explained(&error, "D2728", "schema");
            let spent = &error.spent;
            assert_eq!((server.seen().len(), spent.attempts.len(), spent.exchanges.len()), (10, 10, 10));
            assert_eq!(log.attempts.lock().unwrap().len(), 10);
            assert_eq!(spent.cost.as_ref().unwrap().actual_micros, purse.used(), "{dialect:?}");
        }
    }
}

/// What may pass is repeated over every protocol, after the wait that was asked for in any of its forms.
#[tokio::test]
async fn every_protocol_waits_as_it_is_told_and_recovers() {
    let delay = r#"{"error": {"code": 429, "message": "slow", "details": [{"retryDelay": "2.5s"}]}}"#;
    for (fault, wait) in [
        (Fault::Status(408, Some(3)), 3_000),
        (Fault::Status(429, Some(7)), 7_000),
        (Fault::Status(503, Some(0)), 0),
        (Fault::Status(529, Some(2)), 2_000),
        (Fault::Refusal(429, "1.5", "{}"), 1_500),
        (Fault::Refusal(429, "Thu, 01 Jan 1970 00:00:09 GMT", "{}"), 9_000),
        (Fault::Refusal(429, "", delay), 2_500),
        (Fault::Refusal(500, "soon", "{}"), 375),
        (Fault::Cut, 375),
    ] {
        for dialect in Dialect::ALL {
            for mode in MODES {
                let turns: Vec<Turn> = vec![fault.into(), ScriptedReply::text("ok").into()];
                let World { client, server, pace, log, .. } = Setup::new(dialect, mode, turns).build();
                let answer = client.ask(&call(dialect), 0).await.unwrap();
                let waited = pace.waits.lock().unwrap().clone();
                assert_eq!(
                    (answer.reply.text().as_str(), waited),
                    ("ok", vec![wait]),
                    "{fault:?} {dialect:?} {mode:?}"
                );
                assert_eq!((server.seen().len(), log.attempts.lock().unwrap().len()), (2, 2), "{fault:?} {dialect:?}");
            }
        }
    }
}

/// A pause within a reply ends a stream by the idle time, and a whole answer by the total one.
#[tokio::test]
async fn a_pause_ends_every_stream_by_its_idle_time() {
    let once = RetryPolicy { most_attempts: 1, ..RetryPolicy::default() };
    for dialect in Dialect::ALL {
        let (mut setup, _) = setup(dialect, Streaming::On, &Fault::Idle.into());
        setup.retry = once;
        setup.timing = StreamTiming { total: Duration::from_secs(3600), idle: Duration::from_millis(200) };
        let World { client, .. } = setup.build();
        let error = client.ask(&call(dialect), 0).await.unwrap_err();
        explained(&error, "D2715", "idle");
        assert!(error.message.contains("200"), "{error}");
    }
}

#[test]
fn a_price_of_zero_or_one_that_is_there_twice_is_refused() {
    let mut table = builtin_prices();
    let model = table.models[0].model.clone();
    table.models[0].long =
        Some(deed_model::LongInputPrice { above: 1, input: 1, output: 0, cached_read: None, cached_write: None });
    assert_eq!(check_prices(&table), Err(PriceFault::Zero(model.clone())));
    table.models[0].long = None;
    table.models[0].output = 0;
    assert_eq!(check_prices(&table), Err(PriceFault::Zero(model)));
}
