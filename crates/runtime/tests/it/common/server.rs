//! A server on the loopback under the name that the tests give it.

use super::REACTOR;
pub use deed_testkit::loopback::{Answer, Authority, ReceivedRequest};
use serde_json::{Value, json};
use std::ops::Deref;
use std::sync::Mutex;

/// The name that leads to every server here.
const HOST: &str = "api.example.test";

pub struct Server(deed_testkit::loopback::Server);

impl Deref for Server {
    type Target = deed_testkit::loopback::Server;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

/// An answer in JSON.
pub fn answer(status: u16, body: &Value) -> Option<Answer> {
    Some(deed_testkit::loopback::json(status, body))
}

/// An answer that leads elsewhere.
pub fn redirect(to: &str) -> Option<Answer> {
    Some(deed_testkit::loopback::redirect(302, to))
}

impl Server {
    /// A server that answers each request with its number.
    pub fn counting() -> Self {
        let count = Mutex::new(0);
        Self::plain(move |_| {
            let mut count = count.lock().unwrap();
            *count += 1;
            answer(200, &json!({ "number": *count }))
        })
    }

    pub fn plain(handler: impl Fn(&ReceivedRequest) -> Option<Answer> + Send + Sync + 'static) -> Self {
        let _inside = REACTOR.enter();
        Self(deed_testkit::loopback::Server::plain(handler))
    }

    pub fn tls(
        authority: &Authority,
        handler: impl Fn(&ReceivedRequest) -> Option<Answer> + Send + Sync + 'static,
    ) -> Self {
        let _inside = REACTOR.enter();
        Self(deed_testkit::loopback::Server::tls(authority, &[HOST], handler))
    }

    pub fn url(&self, path: &str) -> String {
        self.0.url(HOST, path)
    }

    /// A rule that lets all of it be reached, with changes.
    pub fn rule(&self, more: Value) -> Value {
        let rule = json!({
            "scheme": self.scheme(), "host": HOST, "port": self.port,
            "methods": ["GET", "POST"], "private_addresses": true,
        });
        super::with(rule, more)
    }
}
