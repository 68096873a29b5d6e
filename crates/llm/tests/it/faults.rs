//! Every protocol, as a whole and as a stream, times every fault: each has a named outcome, and none is paid for unseen.

use crate::common::{Setup, World, call, with_schema, with_tool};
use deed_egress::StreamTiming;
use deed_llm::{RetryPolicy, Streaming, ask_valid, diagnostic};
use deed_model::{AttemptOutcome as O, AttemptPayment as P, ReplyNote};
use deed_ports::{Model, ModelAnswer, ModelError, ModelErrorKind as K};
use deed_testkit::loopback::provider::{Dialect, Fault};
use std::time::Duration;

const ONCE: RetryPolicy =
    RetryPolicy { most_attempts: 1, most_paid_twice: 0, first_wait_ms: 1, longest_wait_ms: 60_000 };

async fn asked(dialect: Dialect, mode: Streaming, fault: Fault) -> Result<ModelAnswer, ModelError> {
    let mut setup = Setup::new(dialect, mode, vec![fault]);
    setup.retry = ONCE;
    setup.max_response_bytes = 1 << 17;
    if fault == Fault::Idle {
        let short = Duration::from_millis(200);
        setup.timing =
            StreamTiming { total: if mode == Streaming::Off { short } else { Duration::from_secs(20) }, idle: short };
    }
    let World { client, .. } = setup.build();
    client.ask(&with_tool(call(dialect)), 0).await
}

/// Expects an error of a kind, with the outcome and the payment of its only attempt and the code of its diagnostic.
async fn refused(fault: Fault, kind: K, outcome: O, payment: P, code: &str) {
    for dialect in Dialect::ALL {
        for mode in [Streaming::Off, Streaming::On] {
            let case = format!("{dialect:?} {mode:?} {fault:?}");
            let error = asked(dialect, mode, fault).await.expect_err(&case);
            assert_eq!(error.kind, kind, "{case}: {error}");
            // Without a stream, a pause is the end of the whole time.
            let outcome = if (fault, mode) == (Fault::Idle, Streaming::Off) { O::Late } else { outcome };
            let attempt = &error.spent.attempts[0];
            assert_eq!((error.spent.attempts.len(), attempt.outcome, attempt.payment), (1, outcome, payment), "{case}");
            assert_eq!(error.spent.exchanges.len(), 1, "{case}: the raw exchange is kept");
            assert_eq!(diagnostic(&error).code.to_string(), code, "{case}");
        }
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    refused(Fault::Redirect, K::Redirected, O::Unusable, P::None, "D2713").await;
}

#[tokio::test]
async fn a_page_is_no_answer() {
    refused(Fault::Page, K::NotJson, O::Unusable, P::Possible, "D2714").await;
}

#[tokio::test]
async fn an_endless_answer_ends_at_the_limit() {
    refused(Fault::Endless, K::TooLarge, O::Unusable, P::Possible, "D2718").await;
}

#[tokio::test]
async fn an_oversized_answer_ends_at_the_limit() {
    refused(Fault::Oversized, K::TooLarge, O::Unusable, P::Possible, "D2718").await;
}

#[tokio::test]
async fn a_cut_answer_is_named() {
    refused(Fault::Cut, K::Cut, O::Cut, P::Possible, "D2716").await;
}

#[tokio::test]
async fn a_pause_ends_the_attempt() {
    refused(Fault::Idle, K::TimedOut, O::Idle, P::Possible, "D2715").await;
}

#[tokio::test]
async fn bytes_that_are_no_text_are_refused() {
    refused(Fault::InvalidUtf8, K::BadUtf8, O::Unusable, P::Possible, "D2717").await;
}

#[tokio::test]
async fn a_repeated_id_of_a_call_is_refused() {
    refused(Fault::RepeatedToolCallId, K::RepeatedToolCallId, O::Unusable, P::Paid, "D2720").await;
}

#[tokio::test]
async fn negative_usage_is_refused() {
    refused(Fault::NegativeUsage, K::BadUsage, O::Unusable, P::Paid, "D2721").await;
}

#[tokio::test]
async fn usage_beyond_the_reservation_is_refused() {
    refused(Fault::InflatedUsage, K::BeyondReservation, O::Unusable, P::Paid, "D2750").await;
}

#[tokio::test]
async fn statuses_have_their_kinds() {
    refused(Fault::Status(401, None), K::RefusedKey, O::Rejected, P::None, "D2704").await;
    refused(Fault::Status(403, None), K::RefusedKey, O::Rejected, P::None, "D2704").await;
    refused(Fault::Status(404, None), K::UnknownModel, O::Rejected, P::None, "D2702").await;
    refused(Fault::Status(400, None), K::Rejected, O::Rejected, P::None, "D2710").await;
    refused(Fault::Status(429, Some(1)), K::RateLimited, O::RateLimited, P::None, "D2711").await;
    refused(Fault::Status(529, None), K::ServerFailed, O::ServerFailed, P::None, "D2712").await;
}

#[tokio::test]
async fn missing_usage_is_a_note() {
    for dialect in Dialect::ALL {
        for mode in [Streaming::Off, Streaming::On] {
            let answer = asked(dialect, mode, Fault::MissingUsage).await.unwrap();
            assert_eq!(
                (answer.reply.usage, answer.reply.notes),
                (None, vec![ReplyNote::UsageMissing]),
                "{dialect:?} {mode:?}"
            );
        }
    }
}

#[test]
fn replies_that_never_meet_the_schema_end_after_ten_recorded_calls() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    for dialect in Dialect::ALL {
        let _inside = runtime.enter();
        let World { server, client, log, .. } =
            Setup::new(dialect, Streaming::On, vec![Fault::SchemaViolation]).build();
        let model = deed_llm::BlockingClient::new(client, runtime.handle().clone());
        let error = ask_valid(&model as &dyn Model, &with_schema(call(dialect)), 0, 10).unwrap_err();
        assert_eq!(
            (error.kind, error.spent.attempts.len(), error.spent.exchanges.len()),
            (K::OutputNeverValid, 10, 10),
            "{dialect:?}"
        );
        assert_eq!((server.seen().len(), log.attempts.lock().unwrap().len()), (10, 10), "{dialect:?}");
        assert_eq!(diagnostic(&error).code.to_string(), "D2728");
    }
}
