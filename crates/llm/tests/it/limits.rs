//! Limits: calls at once and in a minute, and many streams at a time without loss.

use crate::common::{Setup, World, call};
use deed_egress::StreamTiming;
use deed_llm::Streaming;
use deed_testkit::loopback::provider::{Dialect, ProviderServer, ScriptedReply};
use std::time::Duration;
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
async fn no_more_calls_leave_at_once_than_the_provider_takes() {
    for dialect in Dialect::ALL {
        let mut setup = Setup::new(dialect, Streaming::On, vec![ScriptedReply::text("ok")]);
        // The server answers when two requests wait.
        setup.server = ProviderServer::held(dialect, vec![ScriptedReply::text("ok").into()], 2, 16);
        setup.provider = setup.provider.at(&setup.server.url(), true).unwrap();
        (setup.provider.concurrency, setup.provider.requests_per_minute) = (2, None);
        let World { client, server, .. } = setup.build();
        let mut asked = JoinSet::new();
        for occurrence in 0..16 {
            let client = client.clone();
            asked.spawn(async move { client.ask(&call(dialect), occurrence).await.unwrap().reply.text() });
        }
        assert_eq!(asked.join_all().await.len(), 16);
        assert_eq!((server.seen().len(), server.most_at_once()), (16, 2), "{dialect:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sixty_four_streams_at_once_lose_nothing() {
    let long = "All of it arrives, n\u{e9}ver less. ".repeat(20);
    for dialect in Dialect::ALL {
        let mut setup = Setup::new(dialect, Streaming::On, vec![ScriptedReply::text(&long)]);
        (setup.provider.concurrency, setup.provider.requests_per_minute) = (64, None);
        // What is tested is that nothing is lost; a loaded machine may take as long as it likes.
        let patient = Duration::from_secs(24 * 3600);
        setup.timing = StreamTiming { total: patient, idle: patient };
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
