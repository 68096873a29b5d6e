//! Limits: calls at once and in a minute, and many streams at a time without loss.

use crate::common::{Setup, World, call};
use deed_llm::Streaming;
use deed_testkit::loopback::provider::{Dialect, ScriptedReply};
use tokio::task::JoinSet;

#[tokio::test]
async fn calls_beyond_the_rate_wait() {
    let mut setup = Setup::new(Dialect::Ollama, Streaming::Off, vec![ScriptedReply::text("ok")]);
    setup.provider.requests_per_minute = Some(2);
    let World { client, pace, .. } = setup.build();
    for occurrence in 0..4 {
        client.ask(&call(Dialect::Ollama), occurrence).await.unwrap();
    }
    assert_eq!(*pace.waits.lock().unwrap(), [30_000, 30_000]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sixty_four_streams_at_once_lose_nothing() {
    let long = "All of it arrives, n\u{e9}ver less. ".repeat(200);
    for dialect in Dialect::ALL {
        let mut setup = Setup::new(dialect, Streaming::On, vec![ScriptedReply::text(&long)]);
        (setup.provider.concurrency, setup.provider.requests_per_minute) = (64, None);
        let World { client, server, .. } = setup.build();
        let mut asked = JoinSet::new();
        for occurrence in 0..64 {
            let client = client.clone();
            asked.spawn(async move { client.ask(&call(dialect), occurrence).await.unwrap().reply.text() });
        }
        let replies = asked.join_all().await;
        assert_eq!((replies.len(), server.seen().len()), (64, 64));
        assert!(replies.iter().all(|reply| *reply == long), "{dialect:?}");
    }
}
