//! Payments, commerce and exchanges.

use crate::secrets::rule::Rule;
use crate::shape::Charset::*;
use crate::shape::Part::*;

/// The rules of this field.
pub(super) const RULES: &[Rule] = &[
    Rule::token("stripe-key", "Stripe secret or restricted key", r"(?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{16,247}")
        .keywords(&["sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_", "rk_prod_"])
        .entropy(3.0)
        .shape(&[Text("sk_live_"), AtLeast(Alnum, 16)]),
    Rule::token("stripe-webhook-secret", "Stripe or Svix webhook secret", r"whsec_[A-Za-z0-9+/]{32,}={0,2}")
        .keywords(&["whsec_"])
        .entropy(3.5)
        .shape(&[Text("whsec_"), AtLeast(Alnum, 32)]),
    Rule::token("square-access-key", "Square access token", r"sq0atp-[A-Za-z0-9_\-]{22}|EAAA[A-Za-z0-9_\-]{22,60}")
        .keywords(&["sq0atp-", "EAAA"])
        .entropy(3.5)
        .shape(&[Text("sq0atp-"), Exactly(UrlSafe, 22)]),
    Rule::token("square-oauth-secret", "Square OAuth secret", r"sq0csp-[A-Za-z0-9_\-]{43}")
        .keywords(&["sq0csp-"])
        .entropy(3.5)
        .shape(&[Text("sq0csp-"), Exactly(UrlSafe, 43)]),
    Rule::assigned("paypal-secret", "PayPal client secret", "paypal", r"E[A-Za-z0-9_\-]{79}")
        .keywords(&["paypal"])
        .entropy(4.0)
        .around("PAYPAL_CLIENT_SECRET=", "\n")
        .shape(&[Text("E"), Exactly(UrlSafe, 79)]),
    Rule::token(
        "braintree-token",
        "Braintree access token",
        r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}",
    )
    .keywords(&["access_token$"])
    .entropy(3.0)
    .shape(&[Text("access_token$production$"), Exactly(LowerAlnum, 16), Text("$"), Exactly(Hex, 32)]),
    Rule::token(
        "adyen-key",
        "Adyen API key",
        concat!(r"AQE[A-Za-z0-9]{4,6}[A-Za-z0-9+/]{80,}={0,2}-[A-Za-z0-9+/]{20,}={0,2}", r"-[!-~]{10,24}"),
    )
    .keywords(&["AQE"])
    .entropy(4.0)
    .shape(&[
        Text("AQE"),
        Exactly(Alnum, 6),
        AtLeast(Alnum, 80),
        Text("="),
        Text("-"),
        AtLeast(Alnum, 43),
        Text("="),
        Text("-"),
        AtLeast(Alnum, 10),
    ]),
    Rule::assigned("plaid-client", "Plaid client id", "plaid", r"[a-f0-9]{24}")
        .keywords(&["plaid"])
        .entropy(2.5)
        .around("PLAID_CLIENT_KEY=", "\n")
        .shape(&[Exactly(Hex, 24)]),
    Rule::assigned("plaid-secret", "Plaid secret", "plaid", r"[a-f0-9]{30}")
        .keywords(&["plaid"])
        .entropy(2.5)
        .around("PLAID_SECRET=", "\n")
        .shape(&[Exactly(Hex, 30)]),
    Rule::token("plaid-access-token", "Plaid access token", r"access-(?:sandbox|development|production)-<UUID>")
        .keywords(&["access-sandbox-", "access-development-", "access-production-"])
        .shape(&[Text("access-production-"), Uuid]),
    Rule::token("razorpay-key", "Razorpay key id", r"rzp_(?:live|test)_[A-Za-z0-9]{14}")
        .keywords(&["rzp_"])
        .entropy(3.0)
        .shape(&[Text("rzp_live_"), Exactly(Alnum, 14)]),
    Rule::assigned("razorpay-secret", "Razorpay key secret", "razorpay", r"[A-Za-z0-9]{24}")
        .keywords(&["razorpay"])
        .entropy(3.5)
        .around("RAZORPAY_KEY_SECRET=", "\n")
        .shape(&[Exactly(Alnum, 24)]),
    Rule::token(
        "flutterwave-secret",
        "Flutterwave secret key",
        r"FLWSECK(?:_TEST)?-[a-z0-9]{32}-(?:[a-z0-9]{12}vt-)?X",
    )
    .keywords(&["FLWSECK"])
    .entropy(3.0)
    .shape(&[Text("FLWSECK_TEST-"), Exactly(LowerAlnum, 32), Text("-X")]),
    Rule::token("flutterwave-public", "Flutterwave public key", r"FLWPUBK(?:_TEST)?-[a-z0-9]{32}-X")
        .keywords(&["FLWPUBK"])
        .entropy(3.0)
        .shape(&[Text("FLWPUBK_TEST-"), Exactly(LowerAlnum, 32), Text("-X")]),
    Rule::token("flutterwave-encryption", "Flutterwave encryption key", r"FLWSECK(?:_TEST)?-?[a-z0-9]{12}")
        .keywords(&["FLWSECK"])
        .entropy(3.0)
        .shape(&[Text("FLWSECK_TEST"), Exactly(LowerAlnum, 12)]),
    Rule::assigned("paystack-key", "Paystack secret key", "paystack", r"sk_(?:live|test)_[a-f0-9]{40}")
        .keywords(&["paystack"])
        .entropy(3.0)
        .around("PAYSTACK_SECRET_KEY=", "\n")
        .shape(&[Text("sk_live_"), Exactly(Hex, 40)]),
    Rule::assigned(
        "gocardless-token",
        "GoCardless access token",
        "gocardless",
        r"(?:live|sandbox)_[A-Za-z0-9_\-=]{40}",
    )
    .keywords(&["gocardless"])
    .entropy(3.5)
    .around("GOCARDLESS_ACCESS_TOKEN=", "\n")
    .shape(&[Text("live_"), Exactly(Alnum, 40)]),
    Rule::assigned("mollie-key", "Mollie API key", "mollie", r"(?:live|test)_[A-Za-z0-9]{30}")
        .keywords(&["mollie"])
        .entropy(3.0)
        .around("MOLLIE_API_KEY=", "\n")
        .shape(&[Text("live_"), Exactly(Alnum, 30)]),
    Rule::token("easypost-key", "EasyPost API key", r"EZ[AT]K[A-Za-z0-9]{54}")
        .keywords(&["EZAK", "EZTK"])
        .entropy(3.5)
        .shape(&[Text("EZAK"), Exactly(Alnum, 54)]),
    Rule::token("shippo-token", "Shippo API token", r"shippo_(?:live|test)_[a-fA-F0-9]{40}")
        .keywords(&["shippo_"])
        .shape(&[Text("shippo_live_"), Exactly(Hex, 40)]),
    Rule::assigned("lob-key", "Lob API key", "lob", r"(?:live|test)_[a-f0-9]{35}")
        .keywords(&["lob"])
        .around("LOB_API_KEY=", "\n")
        .shape(&[Text("live_"), Exactly(Hex, 35)]),
    Rule::token("lob-publishable-key", "Lob publishable key", r"(?:live|test)_pub_[a-f0-9]{31}")
        .keywords(&["live_pub_", "test_pub_"])
        .shape(&[Text("live_pub_"), Exactly(Hex, 31)]),
    Rule::token("duffel-token", "Duffel access token", r"duffel_(?:live|test)_[A-Za-z0-9_\-=]{43}")
        .keywords(&["duffel_"])
        .entropy(3.5)
        .shape(&[Text("duffel_live_"), Exactly(UrlSafe, 43)]),
    Rule::assigned("finicity-token", "Finicity app token", "finicity", r"[a-f0-9]{32}")
        .keywords(&["finicity"])
        .around("FINICITY_APP_KEY=", "\n")
        .shape(&[Exactly(Hex, 32)]),
    Rule::assigned("finicity-secret", "Finicity partner secret", "finicity", r"[A-Za-z0-9]{20}")
        .keywords(&["finicity"])
        .entropy(3.0)
        .around("FINICITY_PARTNER_SECRET=", "\n")
        .shape(&[Exactly(Alnum, 20)]),
    Rule::assigned("freemius-secret", "Freemius secret key", "freemius", r#"sk_[!#-&(-;=?-\[\]-~]{29}"#)
        .keywords(&["freemius"])
        .entropy(3.5)
        .around("freemius secret_key => '", "'")
        .shape(&[Text("sk_"), Exactly(Alnum, 29)]),
    Rule::assigned("freshbooks-token", "FreshBooks access token", "freshbooks", r"[a-z0-9]{64}")
        .keywords(&["freshbooks"])
        .entropy(3.0)
        .around("FRESHBOOKS_TOKEN=", "\n")
        .shape(&[Exactly(LowerAlnum, 64)]),
    Rule::assigned("coinbase-key", "Coinbase API key", "coinbase", r"[A-Za-z0-9_\-]{64}")
        .keywords(&["coinbase"])
        .entropy(3.5)
        .around("COINBASE_API_SECRET=", "\n")
        .shape(&[Exactly(UrlSafe, 64)]),
    Rule::assigned("binance-key", "Binance API key", "binance", r"[A-Za-z0-9]{64}")
        .keywords(&["binance"])
        .entropy(3.5)
        .around("BINANCE_API_KEY=", "\n")
        .shape(&[Exactly(Alnum, 64)]),
    Rule::assigned("kraken-key", "Kraken API secret", "kraken", r"[A-Za-z0-9/=_+\-]{80,90}")
        .keywords(&["kraken"])
        .entropy(4.0)
        .around("KRAKEN_API_SECRET=", "\n")
        .shape(&[AtLeast(Alnum, 80)]),
    Rule::assigned("kucoin-key", "KuCoin API key", "kucoin", r"[a-f0-9]{24}")
        .keywords(&["kucoin"])
        .entropy(2.5)
        .around("KUCOIN_API_KEY=", "\n")
        .shape(&[Exactly(Hex, 24)]),
    Rule::assigned("kucoin-secret", "KuCoin API secret", "kucoin", r"<UUID>")
        .keywords(&["kucoin"])
        .around("KUCOIN_API_SECRET=", "\n")
        .shape(&[Uuid]),
    Rule::assigned("bittrex-key", "Bittrex API key or secret", "bittrex", r"[a-z0-9]{32}")
        .keywords(&["bittrex"])
        .entropy(3.0)
        .around("BITTREX_API_SECRET=", "\n")
        .shape(&[Exactly(LowerAlnum, 32)]),
    Rule::assigned("finnhub-key", "Finnhub API key", "finnhub", r"[a-z0-9]{20}|[a-z0-9]{40}")
        .keywords(&["finnhub"])
        .entropy(3.0)
        .around("FINNHUB_API_KEY=", "\n")
        .shape(&[Exactly(LowerAlnum, 20)]),
    Rule::token("shopify-admin-token", "Shopify Admin API access token", r"shpat_[a-fA-F0-9]{32}")
        .keywords(&["shpat_"])
        .shape(&[Text("shpat_"), Exactly(Hex, 32)]),
    Rule::token("shopify-custom-app-token", "Shopify custom app access token", r"shpca_[a-fA-F0-9]{32}")
        .keywords(&["shpca_"])
        .shape(&[Text("shpca_"), Exactly(Hex, 32)]),
    Rule::token("shopify-private-app-token", "Shopify private app token", r"shppa_[a-fA-F0-9]{32}")
        .keywords(&["shppa_"])
        .shape(&[Text("shppa_"), Exactly(Hex, 32)]),
    Rule::token("shopify-app-secret", "Shopify app shared secret", r"shpss_[a-fA-F0-9]{32}")
        .keywords(&["shpss_"])
        .shape(&[Text("shpss_"), Exactly(Hex, 32)]),
    Rule::assigned("squarespace-token", "Squarespace access token", "squarespace", r"<UUID>")
        .keywords(&["squarespace"])
        .around("SQUARESPACE_ACCESS_TOKEN=", "\n")
        .shape(&[Uuid]),
    Rule::assigned("etsy-key", "Etsy API key", "etsy", r"[a-z0-9]{24}")
        .keywords(&["etsy"])
        .entropy(3.0)
        .around("ETSY_API_KEY=", "\n")
        .shape(&[Exactly(LowerAlnum, 24)]),
];
