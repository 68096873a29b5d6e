//! Databases, streams, search and content stores.

use crate::secrets::rule::Rule;
use crate::shape::Charset::*;
use crate::shape::Part::*;

/// The rules of this field.
pub(super) const RULES: &[Rule] = &[
    Rule::token("databricks-token", "Databricks access token", r"dapi[a-f0-9]{32}(?:-[0-9])?")
        .keywords(&["dapi"])
        .entropy(3.0)
        .shape(&[Text("dapi"), Exactly(Hex, 32)]),
    Rule::token("planetscale-service-token", "PlanetScale service token", r"pscale_tkn_[A-Za-z0-9=_.\-]{32,64}")
        .keywords(&["pscale_tkn_"])
        .entropy(3.0)
        .shape(&[Text("pscale_tkn_"), AtLeast(Alnum, 32)]),
    Rule::token("planetscale-oauth", "PlanetScale OAuth token", r"pscale_oauth_[A-Za-z0-9=_.\-]{32,64}")
        .keywords(&["pscale_oauth_"])
        .entropy(3.0)
        .shape(&[Text("pscale_oauth_"), AtLeast(Alnum, 32)]),
    Rule::token("planetscale-branch-password", "PlanetScale branch password", r"pscale_pw_[A-Za-z0-9=_.\-]{32,64}")
        .keywords(&["pscale_pw_"])
        .entropy(3.0)
        .shape(&[Text("pscale_pw_"), AtLeast(Alnum, 32)]),
    Rule::token("supabase-token", "Supabase access token", r"sbp_[a-f0-9]{40}")
        .keywords(&["sbp_"])
        .shape(&[Text("sbp_"), Exactly(Hex, 40)]),
    Rule::token("supabase-secret-key", "Supabase secret key", r"sb_secret_[A-Za-z0-9_\-]{22,}")
        .keywords(&["sb_secret_"])
        .entropy(3.0)
        .shape(&[Text("sb_secret_"), AtLeast(Alnum, 22)]),
    Rule::token("neon-key", "Neon API key", r"napi_[a-z0-9]{64}")
        .keywords(&["napi_"])
        .entropy(3.0)
        .shape(&[Text("napi_"), Exactly(LowerAlnum, 64)]),
    Rule::token("cockroach-key", "CockroachDB Cloud API key", r"CCDB1_[A-Za-z0-9]{22}_[A-Za-z0-9]{40}")
        .keywords(&["CCDB1_"])
        .entropy(3.5)
        .shape(&[Text("CCDB1_"), Exactly(Alnum, 22), Text("_"), Exactly(Alnum, 40)]),
    Rule::token("clickhouse-cloud-secret", "ClickHouse Cloud API secret", r"4b1d[A-Za-z0-9]{38}")
        .keywords(&["4b1d"])
        .entropy(3.5)
        .shape(&[Text("4b1d"), Exactly(Alnum, 38)]),
    Rule::assigned("confluent-key", "Confluent API key", "confluent", r"[A-Z0-9]{16}")
        .keywords(&["confluent"])
        .entropy(2.5)
        .around("CONFLUENT_API_KEY=", "\n")
        .shape(&[Exactly(UpperAlnum, 16)]),
    Rule::assigned("confluent-secret", "Confluent API secret", "confluent", r"[A-Za-z0-9+/]{64}")
        .keywords(&["confluent"])
        .entropy(3.5)
        .around("CONFLUENT_API_SECRET=", "\n")
        .shape(&[Exactly(Alnum, 64)]),
    Rule::assigned("algolia-key", "Algolia API key", "algolia", r"[a-f0-9]{32}")
        .keywords(&["algolia"])
        .around("ALGOLIA_ADMIN_KEY=", "\n")
        .shape(&[Exactly(Hex, 32)]),
    Rule::token("airtable-token", "Airtable personal access token", r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}")
        .keywords(&["pat"])
        .entropy(3.0)
        .shape(&[Text("pat"), Exactly(Alnum, 14), Text("."), Exactly(Hex, 64)]),
    Rule::assigned("airtable-legacy-key", "Airtable legacy API key", "airtable", r"key[A-Za-z0-9]{14}")
        .keywords(&["airtable"])
        .entropy(3.0)
        .around("AIRTABLE_API_KEY=", "\n")
        .shape(&[Text("key"), Exactly(Alnum, 14)]),
    Rule::assigned("contentful-delivery-token", "Contentful delivery token", "contentful", r"[A-Za-z0-9_\-]{43}")
        .keywords(&["contentful"])
        .entropy(3.5)
        .around("CONTENTFUL_ACCESS_TOKEN=", "\n")
        .shape(&[Exactly(UrlSafe, 43)]),
    Rule::token("contentful-management-token", "Contentful management token", r"CFPAT-[A-Za-z0-9_\-]{43}")
        .keywords(&["CFPAT-"])
        .entropy(3.5)
        .shape(&[Text("CFPAT-"), Exactly(UrlSafe, 43)]),
    Rule::assigned("influxdb-token", "InfluxDB token", "influx", r"[A-Za-z0-9_\-]{86}==")
        .keywords(&["influx"])
        .entropy(4.0)
        .around("INFLUX_TOKEN=\"", "\"")
        .shape(&[Exactly(UrlSafe, 86), Text("==")]),
    Rule::token("dbt-token", "dbt Cloud token", r"dbt[cu]_[A-Za-z0-9_\-]{40,}")
        .keywords(&["dbtc_", "dbtu_"])
        .entropy(3.5)
        .shape(&[Text("dbtc_"), AtLeast(Alnum, 40)]),
    Rule::assigned("looker-client", "Looker client id", "looker", r"[A-Za-z0-9]{20}")
        .keywords(&["looker"])
        .entropy(3.0)
        .around("LOOKER_CLIENT_KEY=", "\n")
        .shape(&[Exactly(Alnum, 20)]),
    Rule::assigned("looker-secret", "Looker client secret", "looker", r"[A-Za-z0-9]{24}")
        .keywords(&["looker"])
        .entropy(3.0)
        .around("LOOKER_CLIENT_SECRET=", "\n")
        .shape(&[Exactly(Alnum, 24)]),
    Rule::assigned("elastic-key", "Elastic API key", "elastic", r"[A-Za-z0-9+/]{58}==")
        .keywords(&["elastic"])
        .entropy(4.0)
        .around("ELASTIC_API_KEY=\"", "\"")
        .shape(&[Exactly(Base64, 58), Text("==")]),
    Rule::assigned("upstash-token", "Upstash REST token", "upstash", r"A[A-Za-z0-9+/_\-]{38,80}={0,2}")
        .keywords(&["upstash"])
        .entropy(4.0)
        .around("UPSTASH_REDIS_REST_TOKEN=\"", "\"")
        .shape(&[Text("A"), AtLeast(Alnum, 38)]),
    Rule::assigned("fauna-key", "Fauna key", "fauna", r"fn[A-Za-z0-9_\-]{38}")
        .keywords(&["fauna"])
        .entropy(3.5)
        .around("FAUNA_SECRET=", "\n")
        .shape(&[Text("fn"), Exactly(Alnum, 38)]),
];
