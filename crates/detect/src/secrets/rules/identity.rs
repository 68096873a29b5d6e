//! Identity providers and vaults.

use crate::secrets::rule::Rule;
use crate::shape::Charset::*;
use crate::shape::Part::*;

/// The rules of this field.
pub(super) const RULES: &[Rule] = &[
    Rule::assigned("okta-token", "Okta API token", "okta", r"00[A-Za-z0-9_\-]{40}")
        .keywords(&["okta"])
        .entropy(3.5)
        .around("OKTA_API_TOKEN=", "\n")
        .shape(&[Text("00"), Exactly(UrlSafe, 40)]),
    Rule::assigned("auth0-secret", "Auth0 client secret", "auth0", r"[A-Za-z0-9_\-]{64}")
        .keywords(&["auth0"])
        .entropy(4.0)
        .around("AUTH0_CLIENT_SECRET=", "\n")
        .shape(&[Exactly(UrlSafe, 64)]),
    Rule::token(
        "authress-key",
        "Authress service client key",
        concat!(
            r"(?:sc|ext|scauth|authress)_[a-z0-9]{5,30}\.[a-z0-9]{4,6}",
            r"\.acc[_-][a-z0-9\-]{10,32}\.[A-Za-z0-9+/_=\-]{30,120}"
        ),
    )
    .keywords(&["sc_", "ext_", "scauth_", "authress_"])
    .entropy(3.5)
    .shape(&[
        Text("sc_"),
        Exactly(LowerAlnum, 12),
        Text("."),
        Exactly(LowerAlnum, 4),
        Text(".acc-"),
        Exactly(LowerAlnum, 12),
        Text("."),
        AtLeast(Alnum, 30),
    ]),
    Rule::token(
        "onepassword-secret-key",
        "1Password secret key",
        concat!(r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}", r"-[A-Z0-9]{5}-[A-Z0-9]{5}"),
    )
    .keywords(&["A3-"])
    .entropy(3.5)
    .shape(&[
        Text("A3-"),
        Exactly(UpperAlnum, 6),
        Text("-"),
        Exactly(UpperAlnum, 6),
        Text("-"),
        Exactly(UpperAlnum, 5),
        Text("-"),
        Exactly(UpperAlnum, 5),
        Text("-"),
        Exactly(UpperAlnum, 5),
        Text("-"),
        Exactly(UpperAlnum, 5),
    ]),
    Rule::token("onepassword-service-token", "1Password service account token", r"ops_eyJ[A-Za-z0-9+/]{250,}={0,3}")
        .keywords(&["ops_eyJ"])
        .entropy(4.0)
        .shape(&[Text("ops_eyJ"), AtLeast(Alnum, 250)]),
    Rule::token("vault-token", "HashiCorp Vault service token", r"hvs\.[A-Za-z0-9_\-]{90,120}|s\.[A-Za-z0-9]{24}")
        .keywords(&["hvs.", "s."])
        .entropy(3.5)
        .shape(&[Text("hvs."), AtLeast(Alnum, 90)]),
    Rule::token("vault-batch-key", "HashiCorp Vault batch token", r"hvb\.[A-Za-z0-9_\-]{130,300}")
        .keywords(&["hvb."])
        .entropy(3.5)
        .shape(&[Text("hvb."), AtLeast(Alnum, 130)]),
    Rule::token("vault-recovery-token", "HashiCorp Vault recovery token", r"hvr\.[A-Za-z0-9_\-]{24,}")
        .keywords(&["hvr."])
        .entropy(3.5)
        .shape(&[Text("hvr."), AtLeast(Alnum, 24)]),
    Rule::token("infisical-token", "Infisical service token", r"st\.[a-f0-9]{24}\.[a-f0-9]{32}\.[a-f0-9]{32}")
        .keywords(&["st."])
        .entropy(3.0)
        .shape(&[Text("st."), Exactly(Hex, 24), Text("."), Exactly(Hex, 32), Text("."), Exactly(Hex, 32)]),
    Rule::token("stytch-secret", "Stytch secret", r"secret-(?:live|test)-[A-Za-z0-9_\-=]{36}")
        .keywords(&["secret-live-", "secret-test-"])
        .entropy(3.5)
        .shape(&[Text("secret-live-"), Exactly(UrlSafe, 36)]),
    Rule::token("intra42-secret", "42 Intra client secret", r"s-s4t2(?:ud|af)-[a-f0-9]{64}")
        .keywords(&["s-s4t2"])
        .shape(&[Text("s-s4t2ud-"), Exactly(Hex, 64)]),
    Rule::assigned("onelogin-secret", "OneLogin client secret", "onelogin|one_login", r"[a-f0-9]{64}")
        .keywords(&["onelogin", "one_login"])
        .around("ONELOGIN_CLIENT_SECRET=", "\n")
        .shape(&[Exactly(Hex, 64)]),
    Rule::token("jumpcloud-key", "JumpCloud API key", r"jca_[A-Za-z0-9]{36}")
        .keywords(&["jca_"])
        .entropy(3.5)
        .shape(&[Text("jca_"), Exactly(Alnum, 36)]),
];
