//! Secrets that no issuer marks: assignments, headers, command lines and URLs.

use crate::secrets::guise::Guise;
use crate::secrets::rule::{Breadth, Rule};
use crate::shape::Charset::*;
use crate::shape::Part::*;

/// The rules of this field.
pub(super) const RULES: &[Rule] = &[
    Rule::within(
        "generic-secret",
        "high-entropy value under a secret's name",
        concat!(
            concat!(
                r"(?P<name>(?i:(?:api|secret|access|private|encryption|signing|master",
                r"|account|auth)[_\-. ]?key|secret|credentials?)"
            ),
            r"[A-Za-z0-9_.\-]{0,32})<ASSIGNS>",
            concat!(
                r#"(?:\\?["'`](?P<quoted>[A-Za-z0-9_\-+/=.~!@#%^&*:$|?]{16,})|"#,
                r#"(?P<secret>[A-Za-z0-9_\-+/=.~]{16,}))"#
            )
        ),
    )
    .keywords(&[
        "api_key",
        "api-key",
        "api.key",
        "api key",
        "apikey",
        "secret",
        "access_key",
        "access-key",
        "access.key",
        "access key",
        "accesskey",
        "private_key",
        "private-key",
        "private.key",
        "private key",
        "privatekey",
        "encryption_key",
        "encryption-key",
        "encryption.key",
        "encryption key",
        "encryptionkey",
        "signing_key",
        "signing-key",
        "signing.key",
        "signing key",
        "signingkey",
        "master_key",
        "master-key",
        "master.key",
        "master key",
        "masterkey",
        "account_key",
        "account-key",
        "account.key",
        "account key",
        "accountkey",
        "auth_key",
        "auth-key",
        "auth.key",
        "auth key",
        "authkey",
        "credential",
    ])
    .entropy(2.9)
    .breadth(Breadth::GenericStrong)
    .guise(Guise::Value(16))
    .around("{\"client_secret\": \"", "\"}")
    .shape(&[Exactly(Letter, 4), Exactly(Digit, 3), AtLeast(Alnum, 9)]),
    Rule::within(
        "generic-token",
        "high-entropy value under a token's name",
        concat!(
            r"(?P<name>(?i:token|authorization)[A-Za-z0-9_.\-]{0,32})<ASSIGNS>",
            concat!(
                r#"(?:\\?["'`](?P<quoted>[A-Za-z0-9_\-+/=.~!@#%^&*:$|?]{16,})|"#,
                r#"(?P<secret>[A-Za-z0-9_\-+/=.~]{16,}))"#
            )
        ),
    )
    .keywords(&["token", "authorization"])
    .entropy(3.0)
    .breadth(Breadth::Generic)
    .guise(Guise::Value(16))
    .around("BOX_ACCESS_TOKEN=", "\n")
    .shape(&[Exactly(Letter, 4), Exactly(Digit, 3), AtLeast(Alnum, 9)]),
    Rule::within(
        "generic-password",
        "value under a password's name",
        concat!(
            r"(?P<name>(?i:passw(?:or)?d|passphrase|pwd)[A-Za-z0-9_.\-]{0,32})<ASSIGNS>",
            concat!(
                r#"(?:\\?["'`](?P<quoted>(?u:[^"'`\s\\]){8,128})|(?P<secret>(?u:[^"'`\s\\,;{}"#,
                r#"()\[\]<>&]){8,128}))"#
            )
        ),
    )
    .keywords(&["password", "passwd", "passphrase", "pwd"])
    .breadth(Breadth::Password)
    .entropy(2.0)
    .guise(Guise::Value(8))
    .around("password: \"", "\"")
    .shape(&[Exactly(Letter, 4), Exactly(Digit, 3), AtLeast(Alnum, 1)]),
    Rule::within(
        "url-credentials",
        "password in a URL",
        r"://[A-Za-z0-9_.~%+\-]{0,64}:(?P<secret>[!#-&(-.0-;=?A-~]{4,128})@[A-Za-z0-9\[]",
    )
    .keywords(&["://"])
    .entropy(0.5)
    .guise(Guise::Mailbox(200))
    .around("postgres://deed:", "@db.internal:5432/deed")
    .shape(&[AtLeast(Alnum, 4)]),
    Rule::within(
        "authorization-basic",
        "credentials in a basic authorization header",
        concat!(
            r#"(?i:authorization)[\\"']{0,2}[ \t]{0,4}[:=][ \t]{0,4}[\\"']{0,2}(?i:basic)"#,
            r#"[ \t]{1,4}(?P<secret>[A-Za-z0-9+/]{12,}={0,2})"#
        ),
    )
    .keywords(&["authorization"])
    .guise(Guise::Word(b"basic"))
    .around("Authorization: Basic ", "\n")
    .shape(&[AtLeast(Alnum, 12)]),
    Rule::within(
        "authorization-bearer",
        "token in a bearer authorization header",
        r#"(?i:bearer)[ \t]{1,4}(?P<secret>[A-Za-z0-9._~+/\-]{16,}={0,2})"#,
    )
    .keywords(&["bearer"])
    .entropy(3.0)
    .breadth(Breadth::Generic)
    .around("Authorization: Bearer ", "\n")
    .shape(&[Exactly(Letter, 4), Exactly(Digit, 3), AtLeast(Alnum, 9)]),
    Rule::within(
        "curl-user",
        "password on a curl command line",
        concat!(r#"[ \t](?:-u|--user)[ \t=]{1,3}[\\"']{0,2}[!#-&(-9;-~]{1,64}:"#, r#"(?P<secret>[!#-&(-~]{4,128})"#),
    )
    .keywords(&["curl"])
    .entropy(0.5)
    .around("curl -u deed:", " https://box.internal/")
    .shape(&[AtLeast(Alnum, 4)]),
];
