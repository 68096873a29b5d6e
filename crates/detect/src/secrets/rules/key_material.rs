//! Private keys, signed tokens and password hashes of any issuer.

use crate::secrets::rule::Rule;
use crate::shape::Charset::*;
use crate::shape::Part::*;

/// The rules of this field.
pub(super) const RULES: &[Rule] = &[
    Rule::within(
        "pem-private-key",
        "private key in PEM form",
        concat!(
            r"(?P<secret>-----BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY-----(?:[\s#]|\\n|\\r)*",
            r"(?:[A-Za-z\-]{3,20}: ?[ -\[\]-~]{0,80}(?:\s|\\n|\\r)+)*",
            r"[A-Za-z0-9+/]{40}[A-Za-z0-9+/=\s\\#]*",
            r"(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----)?)"
        ),
    )
    .keywords(&["PRIVATE KEY-----"])
    .entropy(3.0)
    // The header stands in two parts so that no scanner takes this file for a key.
    .shape(&[
        Text("-----BEGIN RSA PRIV"),
        Text("ATE KEY-----\n"),
        AtLeast(Base64, 40),
        Text("\n-----END RSA PRIV"),
        Text("ATE KEY-----"),
    ]),
    Rule::within(
        "pgp-private-key",
        "PGP private key block",
        concat!(
            r"(?P<secret>-----BEGIN PGP PRIVATE KEY BLOCK-----(?:[\s#]|\\n|\\r)*",
            r"(?:[A-Za-z\-]{3,20}: ?[ -\[\]-~]{0,80}(?:\s|\\n|\\r)+)*",
            r"[A-Za-z0-9+/]{40}[A-Za-z0-9+/=\s\\#]*",
            r"(?:-----END PGP PRIVATE KEY BLOCK-----)?)"
        ),
    )
    .keywords(&["PRIVATE KEY BLOCK-----"])
    .entropy(3.0)
    .shape(&[
        Text("-----BEGIN PGP PRIV"),
        Text("ATE KEY BLOCK-----\n\n"),
        AtLeast(Base64, 40),
        Text("\n-----END PGP PRIV"),
        Text("ATE KEY BLOCK-----"),
    ]),
    Rule::within(
        "putty-private-key",
        "PuTTY private key",
        concat!(
            r"Private-Lines: [0-9]{1,3}\s{1,2}(?P<secret>[A-Za-z0-9+/]{40,64}",
            r"(?:\s[A-Za-z0-9+/]{20,64}={0,2})*)"
        ),
    )
    .keywords(&["Private-Lines:"])
    .entropy(3.0)
    .around("Private-Lines: 1\n", "\n")
    .shape(&[AtLeast(Base64, 40)]),
    Rule::token("age-identity", "age identity", r"AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}")
        .keywords(&["AGE-SECRET-KEY-1"])
        .entropy(3.0)
        .shape(&[Text("AGE-SECRET-KEY-1"), Exactly(Bech32, 58)]),
    Rule::within(
        "wireguard-key",
        "WireGuard private or preshared key",
        concat!(r"(?i:PrivateKey|PresharedKey)[ \t]{0,4}=[ \t]{0,4}", r"(?P<secret>[A-Za-z0-9+/]{43}=)"),
    )
    .keywords(&["PrivateKey", "PresharedKey"])
    .entropy(3.5)
    .around("[Interface]\nPrivateKey = ", "\n")
    .shape(&[Exactly(Base64, 43), Text("=")]),
    Rule::assigned("wallet-private-key", "wallet private key", "private|wallet|ethereum|eth_", r"(?:0x)?[a-f0-9]{64}")
        .keywords(&["private", "wallet", "ethereum", "eth_"])
        .entropy(3.0)
        .around("WALLET_PRIVATE_KEY=", "\n")
        .shape(&[Text("0x"), Exactly(Hex, 64)]),
    Rule::within(
        "jwk-private-key",
        "private part of a JSON Web Key",
        r#""d"[ \t]{0,4}:[ \t]{0,4}"(?P<secret>[A-Za-z0-9_\-]{42,700})""#,
    )
    .keywords(&["\"d\""])
    .entropy(4.0)
    .around("{\"kty\":\"EC\",\"d\":\"", "\"}")
    .shape(&[AtLeast(UrlSafe, 42)]),
    Rule::token(
        "json-web-token",
        "JSON Web Token",
        r"eyJ[A-Za-z0-9_\-]{14,}\.eyJ[A-Za-z0-9_\-]{14,}\.[A-Za-z0-9_\-]{20,}",
    )
    .keywords(&["eyJ"])
    // The payload of claims is often longer than any other key.
    .reach(16_384)
    .entropy(3.5)
    .shape(&[Text("eyJ"), AtLeast(Alnum, 33), Text(".eyJ"), AtLeast(Alnum, 40), Text("."), AtLeast(Alnum, 20)]),
    Rule::token("json-web-token-base64", "JSON Web Token inside base64", r"ZXlK[A-Za-z0-9+/_\-]{100,}={0,2}")
        .keywords(&["ZXlK"])
        .entropy(4.0)
        .shape(&[Text("ZXlK"), AtLeast(Alnum, 100)]),
    Rule::token(
        "password-hash",
        "password hash",
        concat!(
            r"\$(?:2[abxy]\$[0-9]{2}\$[./A-Za-z0-9]{53}|[156y]\$(?:[A-Za-z0-9./=,]{1,40}",
            r"\$){1,2}[./A-Za-z0-9]{22,86}|apr1\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}",
            r"|argon2(?:id|i|d)\$v=[0-9]{1,3}\$[a-z0-9=,]{8,40}\$[A-Za-z0-9+/]{8,64}",
            r"\$[A-Za-z0-9+/]{16,128})"
        ),
    )
    .keywords(&["$2a$", "$2b$", "$2x$", "$2y$", "$1$", "$5$", "$6$", "$y$", "$apr1$", "$argon2"])
    .entropy(3.0)
    .shape(&[Text("$2b$12$"), Exactly(Alnum, 53)]),
    Rule::token(
        "private-key-base64",
        "private key inside base64",
        concat!(
            r"LS0tLS1CRUdJTi(?:BQUklWQVRFIEtFWS|BSU0EgUFJJVkFURSBLRVkt|BFQyBQUklWQVRFIEtFWS|BEU0EgUFJJVkFURSBLRVkt",
            r"|BPUEVOU1NIIFBSSVZBVEUgS0VZ|BFTkNSWVBURUQgUFJJVkFURSBLRVkt)[A-Za-z0-9+/]{40,}={0,2}"
        ),
    )
    .keywords(&["LS0tLS1CRUdJTi"])
    .entropy(3.5)
    .around("    client-key-data: ", "\n")
    .shape(&[Text("LS0tLS1CRUdJTiBSU0EgUFJJ"), Text("VkFURSBLRVkt"), AtLeast(Alnum, 40)]),
    Rule::within(
        "kubernetes-secret",
        "value in a Kubernetes Secret",
        concat!(
            r#"kind:[ \t]{0,4}["']?Secret["']?\s[\x00-\x7f]{0,300}?\bdata:\s{1,16}"#,
            r#"["']?[A-Za-z0-9_.\-]{1,64}["']?:[ \t]{0,8}"#,
            r#"["']?(?P<secret>[A-Za-z0-9+/]{10,}={0,3})"#
        ),
    )
    .keywords(&["kind: Secret", "kind: \"Secret", "kind: 'Secret"])
    .around("kind: Secret\nmetadata:\n  name: box\ndata:\n  login: ", "\n")
    .shape(&[AtLeast(Alnum, 10)]),
];
