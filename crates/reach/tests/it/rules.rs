//! Rules: what they allow, what is wrong with them, and that no odd spelling gets past them.

use deed_model::{EgressCredential, EgressRule, EgressScheme, EgressVerdict};
use deed_reach::{Host, Location, NormalPath, RuleField, Rules, Ruling, Target, covers};
use proptest::prelude::*;

fn rule(host: &str) -> EgressRule {
    EgressRule {
        endpoint: None,
        base_path: None,
        scheme: EgressScheme::Https,
        host: host.to_owned(),
        subdomains: false,
        port: None,
        paths: Vec::new(),
        methods: Vec::new(),
        private_addresses: false,
        credential: None,
        repeat: Default::default(),
        headers: Vec::new(),
        price_micros: None,
    }
}

fn list(items: &[&str]) -> Vec<String> {
    items.iter().map(|item| (*item).to_owned()).collect()
}

fn decide(rules: &Rules, method: &str, url: &str) -> Ruling {
    let Location { scheme, host, port, path, .. } = &Location::read(url).unwrap();
    rules.decide(&Target { scheme: *scheme, host, port: *port, method, path })
}

#[test]
fn the_first_rule_that_allows_decides_and_the_nearest_miss_is_named() {
    let rules = Rules::read(vec![
        EgressRule { paths: list(&["/v1/rates", "/v1/files/*"]), ..rule("API.Example.test.") },
        EgressRule { paths: list(&["/v1/orders"]), methods: list(&["POST"]), ..rule("api.example.test") },
        EgressRule { subdomains: true, ..rule("cdn.example.test") },
        EgressRule { scheme: EgressScheme::Http, port: Some(8080), ..rule("10.0.0.1") },
        EgressRule { port: Some(8443), ..rule("[::1]") },
    ])
    .unwrap();
    let check = |method: &str, url: &str, verdict: EgressVerdict, rule: Option<usize>| {
        assert_eq!(decide(&rules, method, url), Ruling { verdict, rule }, "{method} {url}");
    };
    let allowed = |method: &str, url: &str, rule: usize| check(method, url, EgressVerdict::Allowed, Some(rule));
    allowed("GET", "https://api.example.test/v1/rates?x=/../..", 0);
    allowed("HEAD", "https://API.example.test:443/v1/rates", 0);
    allowed("GET", "https://api.example.test/v1/files/", 0);
    allowed("GET", "https://api.example.test/v1/files/a/b", 0);
    allowed("POST", "https://api.example.test/v1/orders", 1);
    allowed("GET", "https://cdn.example.test/", 2);
    allowed("GET", "https://a.b.cdn.example.test/x", 2);
    allowed("GET", "http://10.0.0.1:8080/", 3);
    allowed("GET", "https://[0:0::1]:8443/", 4);
    let (host, path, method) =
        (EgressVerdict::HostNotListed, EgressVerdict::PathNotListed, EgressVerdict::MethodNotListed);
    check("GET", "http://api.example.test/v1/rates", host, None);
    check("GET", "https://api.example.test:8443/v1/rates", host, None);
    check("GET", "https://evilcdn.example.test/", host, None);
    check("GET", "https://cdn.example.test.evil.test/", host, None);
    check("GET", "https://sub.api.example.test/v1/rates", host, None);
    check("GET", "https://10.0.0.1:8080/", host, None);
    check("GET", "https://api.example.test/v1/files", path, None);
    check("GET", "https://api.example.test/v1/rates/", path, None);
    check("GET", "https://api.example.test/V1/rates", path, None);
    check("GET", "https://api.example.test/v1/rates;x", path, None);
    check("GET", "https://api.example.test/v1/filesystem", path, None);
    check("POST", "https://api.example.test/v1/rates", method, None);
    check("GET", "https://api.example.test/v1/orders", method, None);
    check("get", "https://api.example.test/v1/rates", method, None);
    assert_eq!(decide(&Rules::default(), "GET", "https://api.example.test/").verdict, host);
}

#[test]
fn all_faults_of_all_rules_are_said() {
    let credential = |secret: &str, header: &str, format: Option<&str>| {
        Some(EgressCredential {
            secret: secret.to_owned(),
            header: header.to_owned(),
            format: format.map(str::to_owned),
        })
    };
    let rules = vec![
        rule("*.example.test"),
        rule("bücher.example"),
        rule("0x7f.1"),
        EgressRule { subdomains: true, ..rule("com") },
        EgressRule { subdomains: true, ..rule("10.0.0.1") },
        EgressRule { port: Some(0), ..rule("a.test") },
        EgressRule {
            paths: list(&["v1", "/a/*/b", "/a*", "/a/../b", "/a%2fb", "/%61", "/ok", "/*"]),
            ..rule("a.test")
        },
        EgressRule { methods: list(&["get", "", "A B", "CONNECT", "TRACE", "POST"]), ..rule("a.test") },
        EgressRule { credential: credential("token", "X-Key", None), ..rule("a.test") },
        EgressRule { credential: credential("secret://Token", "Host", Some("Bearer")), ..rule("a.test") },
        EgressRule { credential: credential("secret://t", "a b", Some("{} {}")), ..rule("a.test") },
        EgressRule { credential: credential("secret://t", "x", Some("{}\r\nx: y")), ..rule("a.test") },
        EgressRule { scheme: EgressScheme::Http, credential: credential("secret://t", "x", None), ..rule("a.test") },
        EgressRule {
            credential: credential("secret://t", "X-Key", None),
            headers: list(&["X-Tenant", "a b", "x_key", "Host", "X-Original-URL", "Connection"]),
            ..rule("a.test")
        },
        EgressRule { headers: list(&["X-Tenant"]), ..rule("a.test") },
        rule("fine.test"),
    ];
    let faults = Rules::read(rules).unwrap_err();
    let found: Vec<(usize, RuleField)> = faults.iter().map(|fault| (fault.index, fault.field)).collect();
    let mut expected = vec![(0, RuleField::Host), (1, RuleField::Host), (2, RuleField::Host)];
    expected.extend([(3, RuleField::Subdomains), (4, RuleField::Subdomains), (5, RuleField::Port)]);
    expected.extend((0..6).map(|position| (6, RuleField::Path(position))));
    expected.extend((0..5).map(|position| (7, RuleField::Method(position))));
    expected.push((8, RuleField::Secret));
    expected.extend([(9, RuleField::Secret), (9, RuleField::Header), (9, RuleField::Format)]);
    expected.extend([(10, RuleField::Header), (10, RuleField::Format)]);
    expected.extend([(11, RuleField::Format), (12, RuleField::Credential)]);
    expected.extend((1..6).map(|position| (13, RuleField::Beside(position))));
    expected.push((14, RuleField::Beside(0)));
    assert_eq!(found, expected, "{faults:#?}");
    assert_eq!(faults[9].to_string(), "egress rule 6, `paths/3`: `/a/../b` must be written `/b`");
}

/// Whatever somebody took for the place of the secret itself, no message repeats it.
#[test]
fn what_was_written_into_a_credential_is_not_repeated() {
    const WRITTEN: &str = "hunter2-and-no-more";
    let spellings = ["{}", "Bearer {}", "authorization: {}", "proxy-{}", "secret://{}!", "{}\n{}", "{{}} {}"];
    for spelling in spellings {
        let text = spelling.replace("{{}}", "\0").replace("{}", WRITTEN).replace('\0', "{}");
        for scheme in [EgressScheme::Https, EgressScheme::Http] {
            let written = |secret: &str, header: &str, format: Option<&str>| {
                let (secret, header, format) = (secret.to_owned(), header.to_owned(), format.map(str::to_owned));
                EgressRule { scheme, credential: Some(EgressCredential { secret, header, format }), ..rule("a.test") }
            };
            let rules = vec![written(&text, "x-key", None), written("secret://t", &text, Some(&text))];
            for fault in Rules::read(rules).err().unwrap_or_default() {
                assert!(!format!("{fault:?} {fault}").contains("hunter2"), "{fault}");
            }
        }
    }
}

/// How the most obliging server might read a path: decoded again and again, backslashes as slashes, parameters cut
/// off, empty segments gone, dots resolved.
fn most_obliging(path: &str) -> String {
    let mut text = path.to_owned();
    loop {
        let decoded = decoded(&text);
        if decoded == text {
            break;
        }
        text = decoded;
    }
    let mut kept: Vec<&str> = Vec::new();
    let flat = text.replace('\\', "/");
    for segment in flat.split('/') {
        match segment.split(';').next().unwrap() {
            "" | "." => {}
            ".." => drop(kept.pop()),
            bare => kept.push(bare),
        }
    }
    format!("/{}", kept.join("/"))
}

fn decoded(text: &str) -> String {
    let (bytes, mut out, mut at) = (text.as_bytes(), Vec::new(), 0);
    while at < bytes.len() {
        let hex = text.get(at + 1..at + 3).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match (bytes[at], hex) {
            (b'%', Some(byte)) => {
                out.push(byte);
                at += 3;
            }
            (byte, _) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

fn odd_segment() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "v1",
        "admin",
        "",
        ".",
        "..",
        "%2e",
        "%2E%2e",
        ".%2e",
        "..;",
        "..;x=1",
        ".;",
        "..%3b",
        "%2e%2e;",
        "v1;x",
        "%76%31",
        "%61dmin",
        "v1%2f..",
        "..%2fadmin",
        "..%5cadmin",
        "..\\admin",
        "\\..",
        "%252e%252e",
        "%25%32%65%25%32%65",
        "%c0%ae.",
        "%c0%af..",
        "a%00",
        "*",
        "a:b",
        "%20..",
        "...",
        "%EF%BC%8F..",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_spelling_leads_out_of_what_is_allowed(segments in prop::collection::vec(odd_segment(), 1..7)) {
        let rules = Rules::read(vec![EgressRule { paths: list(&["/v1/*"]), ..rule("a.test") }]).unwrap();
        let raw = format!("/{}", segments.join("/"));
        if let Ok(path) = NormalPath::read(&raw) {
            let host = Host::read("a.test").unwrap();
            let target = Target { scheme: EgressScheme::Https, host: &host, port: 443, method: "GET", path: &path };
            if rules.decide(&target).verdict == EgressVerdict::Allowed {
                let read = most_obliging(path.as_str());
                prop_assert!(read == "/v1" || read.starts_with("/v1/"), "{raw} is sent as {path} and read as {read}");
            }
        }
    }

    #[test]
    fn a_normal_path_stays_as_it_is(raw in "/[ -~]{0,40}") {
        if let Ok(path) = NormalPath::read(&raw) {
            prop_assert_eq!(NormalPath::read(path.as_str()), Ok(path));
        }
    }

    #[test]
    fn encoding_what_needs_none_changes_nothing(path in "/[a-z0-9_~-]{1,8}(/[a-z0-9._~-]{1,8}){0,4}", flags in prop::collection::vec(any::<bool>(), 64)) {
        let encode = |(byte, flag): (u8, bool)| match flag && byte != b'/' {
            true => format!("%{byte:02x}"),
            false => char::from(byte).to_string(),
        };
        let odd: String = path.bytes().zip(flags.into_iter().cycle()).map(encode).collect();
        prop_assert_eq!(NormalPath::read(&odd), NormalPath::read(&path));
    }

    #[test]
    fn reading_never_panics(text in ".{0,60}") {
        let _ = (Location::read(&text), Host::read(&text), NormalPath::read(&text));
        let _ = Location::read("https://a.test/b/c").unwrap().join(&text);
        let _ = Rules::read(vec![EgressRule { paths: vec![text.clone()], methods: vec![text.clone()], ..rule(&text) }]);
    }
}

#[test]
fn a_rule_covers_what_it_allows_and_no_more() {
    let wide =
        EgressRule { subdomains: true, paths: list(&["/v1/*"]), methods: list(&["GET", "POST"]), ..rule("a.test") };
    let narrow = EgressRule { paths: list(&["/v1/x"]), methods: list(&["POST"]), ..rule("b.a.test") };
    assert!(covers(&wide, &wide) && covers(&wide, &narrow) && !covers(&narrow, &wide));
    for beyond in [
        EgressRule { host: "evila.test".to_owned(), ..narrow.clone() },
        EgressRule { port: Some(8443), ..narrow.clone() },
        EgressRule { scheme: EgressScheme::Http, port: Some(443), ..narrow.clone() },
        EgressRule { paths: Vec::new(), ..narrow.clone() },
        EgressRule { paths: list(&["/*"]), ..narrow.clone() },
        EgressRule { methods: list(&["PUT"]), ..narrow.clone() },
        EgressRule { methods: Vec::new(), ..narrow.clone() },
        EgressRule { private_addresses: true, ..narrow.clone() },
        EgressRule { repeat: deed_model::EgressRepeat::ByKey, ..narrow.clone() },
        EgressRule { endpoint: Some("internal://orders".to_owned()), ..narrow.clone() },
        EgressRule {
            credential: Some(EgressCredential {
                secret: "secret://a".to_owned(),
                header: "authorization".to_owned(),
                format: None,
            }),
            ..narrow.clone()
        },
    ] {
        assert!(!covers(&wide, &beyond), "{beyond:?}");
    }
    let priced = EgressRule { price_micros: Some(5), ..wide.clone() };
    assert!(!covers(&priced, &narrow) && covers(&priced, &EgressRule { price_micros: Some(5), ..narrow.clone() }));
    let endpoint = EgressRule { endpoint: Some("internal://orders".to_owned()), paths: list(&["/v1/*"]), ..rule("") };
    let resolved =
        EgressRule { host: "orders.test".to_owned(), port: Some(8443), paths: list(&["/v1/x"]), ..endpoint.clone() };
    assert!(covers(&endpoint, &resolved));
    assert!(!covers(&endpoint, &EgressRule { paths: list(&["/v2"]), ..resolved }));
}
