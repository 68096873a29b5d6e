//! Names of headers: whether one concerns the connection, whether it overrides what was decided, and
//! whether a secret may stand in it.

/// Headers that speak of one connection only.
const HOP: [&str; 9] = [
    "connection",
    "keep-alive",
    "te",
    "trailer",
    "trailers",
    "transfer-encoding",
    "upgrade",
    "http2-settings",
    "expect",
];

/// Headers by which some servers read another method, path or host than the one that was decided about.
const OVERRIDES: [&str; 24] = [
    "x-http-method-override",
    "x-http-method",
    "x-method-override",
    "x-method",
    "x-original-url",
    "x-original-uri",
    "x-original-host",
    "x-original-method",
    "x-rewrite-url",
    "x-rewrite-uri",
    "x-override-url",
    "x-forwarded-host",
    "x-forwarded-server",
    "x-http-host-override",
    "x-http-destinationurl",
    "x-host",
    "x-proxy-url",
    "x-envoy-original-path",
    "x-http-path-override",
    "x-backend-host",
    "base-url",
    "http-url",
    "request-uri",
    // Where `COPY` and `MOVE` write to, which no rule sees.
    "destination",
];

/// Headers by which servers behind a proxy learn who asks, or through whom: a request that carries a credential must not
/// claim to come from another client.
const FORWARDING: [&str; 27] = [
    "forwarded",
    "via",
    "x-real-ip",
    "x-client-ip",
    "x-remote-ip",
    "x-remote-addr",
    "x-remote-user",
    "x-originating-ip",
    "x-cluster-client-ip",
    "true-client-ip",
    "cf-connecting-ip",
    "fastly-client-ip",
    "client-ip",
    "x-proxyuser-ip",
    "x-ssl-client-cert",
    "x-client-cert",
    "x-forwarded",
    "forwarded-for",
    "x-envoy-external-address",
    "x-azure-clientip",
    "x-azure-socketip",
    "x-appengine-user-ip",
    "remote-user",
    "x-authenticated-user",
    "front-end-https",
    "x-url-scheme",
    "x-scheme",
];

/// Headers that describe a request or its body, and claim neither who asks nor what is asked for.
const DESCRIPTIVE: [&str; 28] = [
    "accept",
    "api-version",
    "cache-control",
    "content-type",
    "date",
    "depth",
    "digest",
    "dnt",
    "idempotency-key",
    "last-event-id",
    "link",
    "pragma",
    "prefer",
    "priority",
    "range",
    "repr-digest",
    "request-id",
    "save-data",
    "tracestate",
    "traceparent",
    "upgrade-insecure-requests",
    "user-agent",
    "want-digest",
    "x-correlation-id",
    "x-idempotency-key",
    "x-request-id",
    "x-requested-with",
    "x-trace-id",
];

/// Headers that the gateway writes anew for each request.
const DERIVED: [&str; 4] = ["host", "content-length", "idempotency-key", "accept-encoding"];

/// The name in the one form in which names are compared: servers that hand headers on as variables read `_` and `-`
/// alike.
pub fn alike(name: &str) -> String {
    name.to_ascii_lowercase().replace('_', "-")
}

/// Returns whether a header speaks of one connection only, or to a proxy.
pub fn is_of_connection(name: &str) -> bool {
    let plain = alike(name);
    HOP.contains(&plain.as_str()) || plain.starts_with("proxy-")
}

/// Returns whether some servers read another method, path or host by this header than the one that was decided about.
pub fn is_overriding(name: &str) -> bool {
    OVERRIDES.contains(&alike(name).as_str())
}

/// Returns whether servers behind a proxy learn from this header who asks, or through whom.
pub fn is_forwarding(name: &str) -> bool {
    let plain = alike(name);
    FORWARDING.contains(&plain.as_str())
        || plain.starts_with("x-forwarded-")
        || plain.starts_with("x-auth-request-")
        || plain.starts_with("x-ssl-client-")
}

/// Returns whether code may send a header beside a credential without being allowed to: it describes the request or its
/// body. Any other may claim another client, user, method or URL to some server, and no list of those is complete.
pub fn is_descriptive(name: &str) -> bool {
    let plain = alike(name);
    DESCRIPTIVE.contains(&plain.as_str())
        || ["accept-", "content-", "if-", "sec-fetch-"].iter().any(|prefix| plain.starts_with(prefix))
        || plain.ends_with("-version")
}

/// Returns whether a rule may let code send a header beside a credential.
pub(crate) fn may_be_allowed(name: &str) -> bool {
    let plain = alike(name);
    is_token(name.as_bytes()) && !is_of_connection(&plain) && !is_overriding(&plain) && plain != "host"
}

/// Returns whether some bytes are an HTTP token: a method, or the name of a header.
pub fn is_token(bytes: &[u8]) -> bool {
    let word = |b: &u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(b);
    !bytes.is_empty() && bytes.len() <= 128 && bytes.iter().all(word)
}

/// Returns whether a secret may stand in a header of this name.
pub(crate) fn may_carry_credential(name: &str) -> bool {
    !is_of_connection(name) && !is_overriding(name) && !is_forwarding(name) && !DERIVED.contains(&alike(name).as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_in_all_spellings() {
        for name in ["Connection", "keep_alive", "TE", "Proxy-Authorization", "proxy_anything"] {
            assert!(is_of_connection(name), "{name}");
        }
        for name in
            ["X-HTTP-Method-Override", "x_http_method_override", "X-Original-URL", "x-forwarded-host", "Destination"]
        {
            assert!(is_overriding(name), "{name}");
        }
        for name in [
            "Forwarded",
            "X-Forwarded-For",
            "x_forwarded_proto",
            "X-Real-IP",
            "Via",
            "X-Auth-Request-Email",
            "Remote_User",
        ] {
            assert!(is_forwarding(name), "{name}");
        }
        assert!(!is_of_connection("accept") && !is_overriding("accept") && !is_forwarding("accept"));
    }

    #[test]
    fn only_what_describes_a_request_is_descriptive() {
        for name in ["Content-Type", "if_none_match", "Accept-Language", "X-Request-ID", "Stripe-Version", "Range"] {
            assert!(is_descriptive(name), "{name}");
        }
        for name in [
            "X-Original-Forwarded-For",
            "WL-Proxy-Client-IP",
            "X-Forward-For",
            "X-Custom-IP-Authorization",
            "Method-Override",
            "X-Http-Url",
            "X-User",
            "X-Webauth-User",
            "X-Goog-Authenticated-User-Email",
            "X-Ms-Client-Principal-Name",
            "X-Amzn-Oidc-Identity",
            "Cf-Access-Authenticated-User-Email",
            "Tailscale-User-Login",
            "Cookie",
            "Authorization",
        ] {
            assert!(!is_descriptive(name), "{name}");
        }
    }

    #[test]
    fn a_rule_allows_no_header_that_changes_what_was_decided() {
        assert!(may_be_allowed("X-Tenant") && may_be_allowed("X-User"));
        for name in ["Host", "X-Original-URL", "Connection", "Transfer-Encoding", "x y", ""] {
            assert!(!may_be_allowed(name), "{name}");
        }
    }

    #[test]
    fn a_secret_stands_in_a_header_that_is_passed_on() {
        assert!(may_carry_credential("Authorization") && may_carry_credential("X-Api-Key"));
        for name in ["Host", "content_length", "Idempotency-Key", "Accept-Encoding", "Proxy-Authorization", "x-host"] {
            assert!(!may_carry_credential(name), "{name}");
        }
    }
}
