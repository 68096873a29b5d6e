//! Retries: what may pass is repeated after the right wait, and nothing that may have been paid for without a record.

use crate::common::{Log, Setup, World, call};
use deed_llm::Streaming;
use deed_model::{AttemptOutcome as O, AttemptPayment as P};
use deed_ports::ModelErrorKind as K;
use deed_testkit::loopback::provider::{Dialect, Fault, ScriptedReply, Turn};

const DIALECT: Dialect = Dialect::Chat;

fn script(faults: &[Fault]) -> Vec<Turn> {
    faults.iter().map(|fault| Turn::from(*fault)).chain([ScriptedReply::text("ok").into()]).collect()
}

async fn recovered(faults: &[Fault], outcomes: &[O], waits: &[u64]) {
    let World { client, pace, log, .. } = Setup::new(DIALECT, Streaming::On, script(faults)).build();
    let answer = client.ask(&call(DIALECT), 0).await.unwrap();
    assert_eq!(answer.reply.text(), "ok");
    let found: Vec<O> = answer.attempts.iter().map(|attempt| attempt.outcome).collect();
    assert_eq!(found, [outcomes, &[O::Replied]].concat());
    assert_eq!(*pace.waits.lock().unwrap(), waits);
    assert_eq!(*log.attempts.lock().unwrap(), answer.attempts, "every attempt was recorded");
}

#[tokio::test]
async fn retry_after_is_honoured() {
    recovered(&[Fault::Status(429, Some(7))], &[O::RateLimited], &[7000]).await;
    recovered(&[Fault::Status(529, Some(2))], &[O::ServerFailed], &[2000]).await;
}

#[tokio::test]
async fn waits_double_and_half_of_each_is_drawn() {
    let faults = [Fault::Status(500, None), Fault::Status(408, None), Fault::Status(529, None)];
    recovered(&faults, &[O::ServerFailed, O::RateLimited, O::ServerFailed], &[375, 750, 1500]).await;
}

#[tokio::test]
async fn a_cut_stream_is_repeated_once_and_recorded_as_possibly_paid() {
    recovered(&[Fault::Cut], &[O::Cut], &[375]).await;
    let World { client, server, log, .. } =
        Setup::new(DIALECT, Streaming::On, script(&[Fault::Cut, Fault::Cut])).build();
    let error = client.ask(&call(DIALECT), 0).await.unwrap_err();
    assert_eq!((error.kind, server.seen().len()), (K::Cut, 2), "a third reply is not paid for");
    assert!(log.attempts.lock().unwrap().iter().all(|attempt| attempt.payment == P::Possible));
}

#[tokio::test]
async fn nothing_is_repeated_when_the_attempt_cannot_be_recorded() {
    let mut setup = Setup::new(DIALECT, Streaming::On, script(&[Fault::Cut]));
    setup.log = Log { fails: true, ..Log::default() };
    let World { client, server, .. } = setup.build();
    let error = client.ask(&call(DIALECT), 0).await.unwrap_err();
    assert_eq!((error.kind, server.seen().len(), error.spent.attempts.len()), (K::Unrecorded, 1, 1));
}

#[tokio::test]
async fn what_cannot_pass_is_not_repeated() {
    for fault in [
        Fault::Status(400, None),
        Fault::Status(401, None),
        Fault::Redirect,
        Fault::Page,
        Fault::InvalidUtf8,
        Fault::NegativeUsage,
    ] {
        let World { client, server, pace, .. } = Setup::new(DIALECT, Streaming::On, script(&[fault])).build();
        assert!(client.ask(&call(DIALECT), 0).await.is_err(), "{fault:?}");
        assert_eq!((server.seen().len(), pace.waits.lock().unwrap().len()), (1, 0), "{fault:?}");
    }
}

#[tokio::test]
async fn a_wait_that_is_too_long_ends_the_call() {
    let World { client, server, .. } =
        Setup::new(DIALECT, Streaming::On, script(&[Fault::Status(429, Some(3600))])).build();
    let error = client.ask(&call(DIALECT), 0).await.unwrap_err();
    assert_eq!((error.kind, server.seen().len()), (K::RateLimited, 1));
}

#[tokio::test]
async fn a_closed_port_and_a_missing_key_are_named_and_not_paid_for() {
    let mut setup = Setup::new(DIALECT, Streaming::On, script(&[]));
    setup.provider = setup.provider.at("http://127.0.0.1:9", true).unwrap();
    let World { client, .. } = setup.build();
    let error = client.ask(&call(DIALECT), 0).await.unwrap_err();
    assert_eq!((error.kind, error.spent.attempts.len()), (K::Unreachable, 4));
    assert!(error.spent.attempts.iter().all(|attempt| attempt.payment == P::None));
    let mut setup = Setup::new(DIALECT, Streaming::On, script(&[]));
    setup.provider = setup.provider.with_secret("absent");
    let World { client, server, .. } = setup.build();
    let error = client.ask(&call(DIALECT), 0).await.unwrap_err();
    assert_eq!((error.kind, server.seen().len()), (K::MissingKey, 0));
}

#[tokio::test]
async fn a_model_of_another_provider_is_refused() {
    let World { client, .. } = Setup::new(DIALECT, Streaming::On, script(&[])).build();
    assert_eq!(client.ask(&call(Dialect::Gemini), 0).await.unwrap_err().kind, K::UnknownProvider);
}
