//! Chat, mail, telephony and social networks.

use crate::secrets::guise::Guise;
use crate::secrets::rule::Rule;
use crate::shape::Charset::*;
use crate::shape::Part::*;

/// The rules of this field.
pub(super) const RULES: &[Rule] = &[
    Rule::token("slack-bot-key", "Slack bot token", r"xoxb-[0-9]{8,14}-[A-Za-z0-9\-]{18,80}")
        .keywords(&["xoxb-"])
        .entropy(3.0)
        .shape(&[Text("xoxb-"), Exactly(Digit, 12), Text("-"), AtLeast(Alnum, 18)]),
    Rule::token("slack-user-key", "Slack user token", r"xox[pe]-[0-9]{8,14}-[A-Za-z0-9\-]{28,150}")
        .keywords(&["xoxp-", "xoxe-"])
        .entropy(3.0)
        .shape(&[Text("xoxp-"), Exactly(Digit, 12), Text("-"), AtLeast(Alnum, 28)]),
    Rule::token(
        "slack-app-level-token",
        "Slack app-level token",
        r"xapp-[0-9]-[A-Z0-9]{8,16}-[0-9]{8,16}-[a-z0-9]{32,}",
    )
    .keywords(&["xapp-"])
    .entropy(3.0)
    .shape(&[
        Text("xapp-1-"),
        Exactly(UpperAlnum, 11),
        Text("-"),
        Exactly(Digit, 13),
        Text("-"),
        AtLeast(LowerAlnum, 32),
    ]),
    Rule::token("slack-config-token", "Slack configuration token", r"xoxe(?:\.xox[bp])?-[0-9]-[A-Za-z0-9]{140,}")
        .keywords(&["xoxe"])
        .entropy(3.5)
        .shape(&[Text("xoxe.xoxp-1-"), AtLeast(Alnum, 140)]),
    Rule::token("slack-legacy-key", "Slack legacy or workspace token", r"xox[aros]-[0-9A-Za-z\-]{24,}")
        .keywords(&["xoxa-", "xoxr-", "xoxo-", "xoxs-"])
        .entropy(3.0)
        .shape(&[Text("xoxs-"), AtLeast(Alnum, 24)]),
    Rule::within(
        "slack-webhook",
        "Slack incoming webhook or workflow URL",
        concat!(
            r"(?P<secret>https?://hooks\.slack\.com/(?:services/T[A-Z0-9]{8,12}",
            r"/B[A-Z0-9]{8,12}/[A-Za-z0-9]{24}|(?:workflows|triggers)",
            r"/[A-Za-z0-9/]{40,90}))\b"
        ),
    )
    .keywords(&["hooks.slack.com"])
    .entropy(3.0)
    .shape(&[
        Text("https://hooks.slack.com/services/T"),
        Exactly(UpperAlnum, 8),
        Text("/B"),
        Exactly(UpperAlnum, 8),
        Text("/"),
        AtLeast(Alnum, 24),
    ]),
    Rule::token(
        "discord-bot-token",
        "Discord bot token",
        r"[MNO][A-Za-z0-9_\-]{23,27}\.[A-Za-z0-9_\-]{6}\.[A-Za-z0-9_\-]{27,40}",
    )
    .keywords(&["discord", "bot", "token"])
    .entropy(4.0)
    .guise(Guise::Dotted(6, 27))
    .around("discord_token=", "")
    .shape(&[Text("M"), Exactly(Alnum, 23), Text("."), Exactly(Alnum, 6), Text("."), AtLeast(Alnum, 27)]),
    Rule::assigned("discord-secret", "Discord client secret", "discord", r"[A-Za-z0-9_\-]{32}")
        .keywords(&["discord"])
        .entropy(3.0)
        .around("DISCORD_CLIENT_SECRET=", "\n")
        .shape(&[Exactly(UrlSafe, 32)]),
    Rule::assigned("discord-key", "Discord application key", "discord", r"[a-f0-9]{64}")
        .keywords(&["discord"])
        .around("discord_api_token = \"", "\"")
        .shape(&[Exactly(Hex, 64)]),
    Rule::within(
        "discord-webhook",
        "Discord webhook URL",
        concat!(
            r"(?P<secret>https?://(?:\w{2,8}\.)?discord",
            r"(?:app)?\.com/api/webhooks/[0-9]{17,20}/[A-Za-z0-9_\-]{60,70})"
        ),
    )
    .keywords(&["api/webhooks/"])
    .entropy(3.5)
    .shape(&[Text("https://discord.com/api/webhooks/"), Exactly(Digit, 18), Text("/"), AtLeast(Alnum, 60)]),
    Rule::token("telegram-bot-token", "Telegram bot token", r"[0-9]{8,10}:AA[A-Za-z0-9_\-]{33}")
        .keywords(&[":AA"])
        .entropy(3.5)
        .shape(&[Exactly(Digit, 9), Text(":AA"), Exactly(UrlSafe, 33)]),
    Rule::within(
        "telegram-bot-token-in-context",
        "Telegram bot token",
        concat!(
            r"(?:/bot(?P<secret>[0-9]{8,10}:[A-Za-z0-9_\-]{35})",
            r"|(?i:telegram)[ -~]{0,60}?\b(?P<quoted>[0-9]{8,10}:(?:[B-Za-z0-9_\-][A-Za-z0-9_\-]|A[B-Za-z0-9_\-])",
            r"[A-Za-z0-9_\-]{33}))\b{end-half}"
        ),
    )
    .keywords(&["/bot", "telegram"])
    .entropy(3.5)
    .around("https://api.telegram.org/bot", "/getMe")
    .shape(&[Exactly(Digit, 9), Text(":AA"), Exactly(UrlSafe, 33)]),
    Rule::within(
        "teams-webhook",
        "Microsoft Teams webhook URL",
        concat!(
            r"(?P<secret>https://[a-z0-9\-]{1,63}\.webhook\.office\.com/webhookb2/<UUID>@<UUID>",
            r"/IncomingWebhook/[a-f0-9]{32}/<UUID>)\b"
        ),
    )
    .keywords(&["webhook.office.com"])
    .entropy(3.0)
    .shape(&[
        Text("https://acme.webhook.office.com/webhookb2/"),
        Uuid,
        Text("@"),
        Uuid,
        Text("/IncomingWebhook/"),
        Exactly(Hex, 32),
        Text("/"),
        Uuid,
    ]),
    Rule::token("twilio-key", "Twilio API key", r"SK[0-9a-fA-F]{32}")
        .keywords(&["SK"])
        .entropy(3.0)
        .shape(&[Text("SK"), Exactly(Hex, 32)]),
    Rule::assigned("twilio-auth-token", "Twilio auth token", "twilio", r"[0-9a-f]{32}")
        .keywords(&["twilio"])
        .around("TWILIO_AUTH_TOKEN=", "\n")
        .shape(&[Exactly(Hex, 32)]),
    Rule::within(
        "twilio-auth-token-in-text",
        "Twilio auth token",
        concat!(
            r"(?:\bAC[0-9a-f]{32}[ -/:-@\[-`{-~](?:[ -~]{0,48}?[ -/:-@\[-`{-~])?",
            r"|(?i:twilio)[ -~]{0,80}?(?i:token)[ -/;<>-@\[-`{-~]{1,4}(?:is[ -/:-@\[-`{-~]{1,4})?)",
            r"(?P<secret>[0-9a-f]{32})\b{end-half}"
        ),
    )
    .keywords(&["AC", "twilio"])
    .entropy(3.0)
    .around("the Twilio auth token is ", ".")
    .shape(&[Exactly(Hex, 32)]),
    Rule::token("sendgrid-key", "SendGrid API key", r"SG\.[A-Za-z0-9_\-]{20,24}\.[A-Za-z0-9_\-]{39,50}")
        .keywords(&["SG."])
        .entropy(3.5)
        .shape(&[Text("SG."), Exactly(UrlSafe, 22), Text("."), AtLeast(UrlSafe, 39)]),
    Rule::token("mailgun-key", "Mailgun private API key", r"key-[a-f0-9]{32}")
        .keywords(&["key-"])
        .entropy(3.0)
        .shape(&[Text("key-"), Exactly(Hex, 32)]),
    Rule::token("mailgun-validation-key", "Mailgun validation key", r"pubkey-[a-f0-9]{32}")
        .keywords(&["pubkey-"])
        .entropy(3.0)
        .shape(&[Text("pubkey-"), Exactly(Hex, 32)]),
    Rule::token("mailgun-domain-key", "Mailgun domain or signing key", r"[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8}")
        .keywords(&["mailgun", "mg_"])
        .entropy(3.0)
        .guise(Guise::Near(50))
        .around("MAILGUN_SIGNING_KEY=", "\n")
        .shape(&[Exactly(Hex, 32), Text("-"), Exactly(Hex, 8), Text("-"), Exactly(Hex, 8)]),
    Rule::token("mailchimp-key", "Mailchimp API key", r"[0-9a-f]{32}-us[0-9]{1,2}")
        .keywords(&["-us"])
        .entropy(3.0)
        .shape(&[Exactly(Hex, 32), Text("-us12")]),
    Rule::token("mandrill-key", "Mandrill API key", r"md-[A-Za-z0-9_\-]{22}")
        .keywords(&["md-"])
        .entropy(3.5)
        .shape(&[Text("md-"), Exactly(Alnum, 22)]),
    Rule::token("brevo-key", "Brevo (Sendinblue) API key", r"xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}")
        .keywords(&["xkeysib-"])
        .shape(&[Text("xkeysib-"), Exactly(Hex, 64), Text("-"), Exactly(Alnum, 16)]),
    Rule::assigned("postmark-token", "Postmark server token", "postmark", r"<UUID>")
        .keywords(&["postmark"])
        .around("POSTMARK_SERVER_TOKEN=", "\n")
        .shape(&[Uuid]),
    Rule::token("resend-key", "Resend API key", r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}")
        .keywords(&["re_"])
        .entropy(3.5)
        .shape(&[Text("re_"), Exactly(Alnum, 8), Text("_"), Exactly(Alnum, 24)]),
    Rule::assigned("messagebird-key", "MessageBird API key", "message[_-]?bird", r"[A-Za-z0-9]{25}")
        .keywords(&["messagebird", "message_bird", "message-bird"])
        .entropy(3.0)
        .around("MESSAGEBIRD_API_KEY=", "\n")
        .shape(&[Exactly(Alnum, 25)]),
    Rule::assigned("messagebird-client", "MessageBird client credential", "message[_-]?bird", r"<UUID>")
        .keywords(&["messagebird", "message_bird", "message-bird"])
        .around("MESSAGEBIRD_CLIENT_SECRET=", "\n")
        .shape(&[Uuid]),
    Rule::assigned("mattermost-token", "Mattermost access token", "mattermost", r"[a-z0-9]{26}")
        .keywords(&["mattermost"])
        .entropy(3.0)
        .around("MATTERMOST_TOKEN=", "\n")
        .shape(&[Exactly(LowerAlnum, 26)]),
    Rule::assigned("gitter-token", "Gitter access token", "gitter", r"[A-Za-z0-9_\-]{40}")
        .keywords(&["gitter"])
        .entropy(3.0)
        .around("GITTER_TOKEN=", "\n")
        .shape(&[Exactly(UrlSafe, 40)]),
    Rule::assigned("sendbird-token", "Sendbird access token", "sendbird", r"[a-f0-9]{40}")
        .keywords(&["sendbird"])
        .around("SENDBIRD_API_TOKEN=", "\n")
        .shape(&[Exactly(Hex, 40)]),
    Rule::assigned("sendbird-application", "Sendbird application credential", "sendbird", r"<UUID>")
        .keywords(&["sendbird"])
        .around("SENDBIRD_ACCESS_KEY=", "\n")
        .shape(&[Uuid]),
    Rule::assigned("line-channel-token", "LINE channel access token", "line_|line-", r"[A-Za-z0-9+/]{168,176}={0,2}")
        .keywords(&["line_", "line-"])
        .entropy(4.0)
        .around("LINE_CHANNEL_ACCESS_TOKEN=", "\n")
        .shape(&[AtLeast(Alnum, 168)]),
    Rule::token("facebook-user-token", "Facebook user or page access token", r"EAA[MC][A-Za-z0-9]{100,}")
        .keywords(&["EAAM", "EAAC"])
        .entropy(4.0)
        .shape(&[Text("EAAC"), AtLeast(Alnum, 100)]),
    Rule::token("facebook-app-token", "Facebook app access token", r"[0-9]{15,16}(?:\||%7[cC])[A-Za-z0-9_\-]{27,40}")
        .keywords(&["|", "%7c"])
        .entropy(4.0)
        .shape(&[Exactly(Digit, 15), Text("|"), AtLeast(UrlSafe, 27)]),
    Rule::assigned("facebook-app-secret", "Facebook app secret", "facebook|fb_", r"[a-f0-9]{32}")
        .keywords(&["facebook", "fb_"])
        .around("FACEBOOK_APP_SECRET=", "\n")
        .shape(&[Exactly(Hex, 32)]),
    Rule::token("instagram-token", "Instagram access token", r"IG(?:QV|AA)[A-Za-z0-9_\-]{100,}")
        .keywords(&["IGQV", "IGAA"])
        .entropy(4.0)
        .shape(&[Text("IGQV"), AtLeast(Alnum, 100)]),
    Rule::token("twitter-bearer", "X (Twitter) bearer token", r"A{20,}[A-Za-z0-9%]{80,100}")
        .keywords(&["AAAAAAAAAAAAAAAAAAAA"])
        .entropy(3.0)
        .shape(&[Text("AAAAAAAAAAAAAAAAAAAA"), AtLeast(Alnum, 80)]),
    Rule::assigned("twitter-key", "X (Twitter) API key", "twitter", r"[A-Za-z0-9]{25}")
        .keywords(&["twitter"])
        .entropy(3.5)
        .around("TWITTER_API_KEY=", "\n")
        .shape(&[Exactly(Alnum, 25)]),
    Rule::assigned("twitter-secret", "X (Twitter) API secret", "twitter", r"[A-Za-z0-9]{50}")
        .keywords(&["twitter"])
        .entropy(3.5)
        .around("TWITTER_API_SECRET=", "\n")
        .shape(&[Exactly(Alnum, 50)]),
    Rule::assigned(
        "twitter-user-token",
        "X (Twitter) user access token",
        "twitter",
        r"[0-9]{15,25}-[A-Za-z0-9]{20,40}",
    )
    .keywords(&["twitter"])
    .entropy(3.5)
    .around("TWITTER_ACCESS_TOKEN=", "\n")
    .shape(&[Exactly(Digit, 18), Text("-"), AtLeast(Alnum, 20)]),
    Rule::assigned("twitter-user-secret", "X (Twitter) user access secret", "twitter", r"[A-Za-z0-9]{45}")
        .keywords(&["twitter"])
        .entropy(3.5)
        .around("TWITTER_ACCESS_SECRET=", "\n")
        .shape(&[Exactly(Alnum, 45)]),
    Rule::assigned("linkedin-client", "LinkedIn client id", "linked[_-]?in", r"[a-z0-9]{14}")
        .keywords(&["linkedin", "linked_in", "linked-in"])
        .entropy(2.5)
        .around("LINKEDIN_CLIENT_KEY=", "\n")
        .shape(&[Exactly(LowerAlnum, 14)]),
    Rule::assigned(
        "linkedin-secret",
        "LinkedIn client secret",
        "linked[_-]?in",
        r"[A-Za-z0-9]{16}|WPL_AP1\.[A-Za-z0-9]{16}\.[A-Za-z0-9+/]{6}==",
    )
    .keywords(&["linkedin", "linked_in", "linked-in"])
    .entropy(3.0)
    .around("LINKEDIN_CLIENT_SECRET=", "\n")
    .shape(&[Exactly(Alnum, 16)]),
    Rule::assigned("twitch-token", "Twitch access token", "twitch", r"[a-z0-9]{30}")
        .keywords(&["twitch"])
        .entropy(3.0)
        .around("TWITCH_TOKEN=", "\n")
        .shape(&[Exactly(LowerAlnum, 30)]),
    Rule::token("intercom-token", "Intercom access token", r"dG9r[A-Za-z0-9+/]{52,70}={0,2}")
        .keywords(&["dG9r"])
        .entropy(3.5)
        .shape(&[Text("dG9r"), AtLeast(Alnum, 52)]),
    Rule::assigned("zendesk-token", "Zendesk API token", "zendesk", r"[A-Za-z0-9]{40}")
        .keywords(&["zendesk"])
        .entropy(3.5)
        .around("ZENDESK_API_TOKEN=", "\n")
        .shape(&[Exactly(Alnum, 40)]),
    Rule::assigned("freshdesk-key", "Freshdesk API key", "freshdesk|freshworks", r"[A-Za-z0-9]{20}")
        .keywords(&["freshdesk", "freshworks"])
        .entropy(3.0)
        .around("FRESHDESK_API_KEY=", "\n")
        .shape(&[Exactly(Alnum, 20)]),
];
