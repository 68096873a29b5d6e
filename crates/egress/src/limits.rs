//! Limits of time and size.

use std::time::Duration;

/// Limits of time and size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Until a name is resolved, and again until a server is connected and has shown its certificate.
    pub connect: Duration,
    /// From sending a request to the last byte of its answer.
    pub answer: Duration,
    /// Until a client of the proxy has sent the head of a request, once it began.
    pub client_head: Duration,
    /// Until a client of the proxy has sent the body of a request, and again until it has taken the answer.
    pub client_body: Duration,
    /// Between two requests of a client of the proxy.
    pub client_idle: Duration,
    /// The longest body of a request.
    pub max_request_bytes: usize,
    /// The longest body of an answer.
    pub max_response_bytes: usize,
    /// The number of bodies of more than a mebibyte that are held at once, of requests and again of answers; others wait.
    pub max_long_bodies: usize,
    /// The number of redirects that a fetch follows.
    pub max_redirects: usize,
    /// The number of clients that the proxy serves at once; others wait.
    pub max_connections: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            answer: Duration::from_secs(300),
            client_head: Duration::from_secs(10),
            client_body: Duration::from_secs(60),
            client_idle: Duration::from_secs(120),
            max_request_bytes: 64 << 20,
            max_response_bytes: 64 << 20,
            max_long_bodies: 4,
            max_redirects: 10,
            max_connections: 64,
        }
    }
}
