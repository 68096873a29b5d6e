//! Work, customer, content and map services.

use crate::secrets::rule::Rule;
use crate::shape::Charset::*;
use crate::shape::Part::*;

/// The rules of this field.
pub(super) const RULES: &[Rule] = &[
    Rule::token("hubspot-token", "HubSpot private app token", r"pat-(?:na|eu|ap)[0-9]-<UUID>")
        .keywords(&["pat-na", "pat-eu", "pat-ap"])
        .shape(&[Text("pat-na1-"), Uuid]),
    Rule::assigned("hubspot-legacy-key", "HubSpot legacy API key", "hubspot|hapi", r"<UUID>")
        .keywords(&["hubspot", "hapi"])
        .around("HUBSPOT_API_KEY=", "\n")
        .shape(&[Uuid]),
    Rule::token("salesforce-token", "Salesforce access token", r"00D[A-Za-z0-9]{12,15}![A-Za-z0-9_.]{80,120}")
        .keywords(&["00D"])
        .entropy(3.5)
        .shape(&[Text("00D"), Exactly(Alnum, 12), Text("!"), AtLeast(Alnum, 80)]),
    Rule::token("notion-token", "Notion integration token", r"ntn_[A-Za-z0-9]{40,50}|secret_[A-Za-z0-9]{43}")
        .keywords(&["ntn_", "secret_"])
        .entropy(3.5)
        .shape(&[Text("ntn_"), AtLeast(Alnum, 40)]),
    Rule::token("linear-key", "Linear API key", r"lin_(?:api|oauth|wh)_[A-Za-z0-9]{40,64}")
        .keywords(&["lin_api_", "lin_oauth_", "lin_wh_"])
        .entropy(3.0)
        .shape(&[Text("lin_api_"), AtLeast(Alnum, 40)]),
    Rule::assigned("linear-secret", "Linear client secret", "linear", r"[a-f0-9]{32}")
        .keywords(&["linear"])
        .around("LINEAR_CLIENT_SECRET=", "\n")
        .shape(&[Exactly(Hex, 32)]),
    Rule::token("asana-token", "Asana personal access token", r"[012]/[0-9]{16}(?:/[0-9]{16})?:[a-f0-9]{32}")
        .keywords(&["0/", "1/", "2/"])
        .entropy(3.0)
        .shape(&[Text("1/"), Exactly(Digit, 16), Text(":"), Exactly(Hex, 32)]),
    Rule::assigned("asana-client", "Asana client id", "asana", r"[0-9]{16}")
        .keywords(&["asana"])
        .entropy(2.0)
        .around("ASANA_CLIENT_KEY=", "\n")
        .shape(&[Exactly(Digit, 16)]),
    Rule::assigned("asana-secret", "Asana client secret", "asana", r"[a-z0-9]{32}")
        .keywords(&["asana"])
        .entropy(3.0)
        .around("ASANA_CLIENT_SECRET=", "\n")
        .shape(&[Exactly(LowerAlnum, 32)]),
    Rule::assigned("adobe-client", "Adobe client id", "adobe", r"[a-f0-9]{32}")
        .keywords(&["adobe"])
        .around("ADOBE_CLIENT_KEY=", "\n")
        .shape(&[Exactly(Hex, 32)]),
    Rule::token("adobe-secret", "Adobe client secret", r"p8e-[A-Za-z0-9_\-]{32}")
        .keywords(&["p8e-"])
        .entropy(3.0)
        .shape(&[Text("p8e-"), Exactly(UrlSafe, 32)]),
    Rule::token("dropbox-short-token", "Dropbox short-lived token", r"sl\.(?:u\.)?[A-Za-z0-9_\-=]{130,}")
        .keywords(&["sl."])
        .entropy(4.0)
        .shape(&[Text("sl."), AtLeast(Alnum, 130)]),
    Rule::assigned("dropbox-app-secret", "Dropbox app key or secret", "dropbox", r"[a-z0-9]{15}")
        .keywords(&["dropbox"])
        .entropy(2.5)
        .around("DROPBOX_APP_SECRET=", "\n")
        .shape(&[Exactly(LowerAlnum, 15)]),
    Rule::assigned(
        "dropbox-long-token",
        "Dropbox long-lived token",
        "dropbox",
        r"[A-Za-z0-9_\-]{11}AAAAAAAAAA[A-Za-z0-9_\-]{43}",
    )
    .keywords(&["dropbox"])
    .entropy(3.0)
    .around("DROPBOX_ACCESS_TOKEN=", "\n")
    .shape(&[Exactly(Alnum, 11), Text("AAAAAAAAAA"), Exactly(Alnum, 43)]),
    Rule::token("typeform-token", "Typeform access token", r"tfp_[A-Za-z0-9_.\-=]{59}")
        .keywords(&["tfp_"])
        .entropy(3.5)
        .shape(&[Text("tfp_"), Exactly(Alnum, 59)]),
    Rule::token("postman-key", "Postman API key", r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}").keywords(&["PMAK-"]).shape(&[
        Text("PMAK-"),
        Exactly(Hex, 24),
        Text("-"),
        Exactly(Hex, 34),
    ]),
    Rule::token("readme-key", "ReadMe API key", r"rdme_[a-z0-9]{70}")
        .keywords(&["rdme_"])
        .entropy(3.0)
        .shape(&[Text("rdme_"), Exactly(LowerAlnum, 70)]),
    Rule::token("frameio-token", "Frame.io developer token", r"fio-u-[A-Za-z0-9_\-=]{64}")
        .keywords(&["fio-u-"])
        .entropy(3.5)
        .shape(&[Text("fio-u-"), Exactly(Alnum, 64)]),
    Rule::token("figma-token", "Figma personal access token", r"fig[dou][rh]?_[A-Za-z0-9_\-]{40}")
        .keywords(&["figd_", "figdr_", "figdh_", "figo_", "figor_", "figoh_", "figu_", "figur_", "figuh_"])
        .entropy(3.5)
        .shape(&[Text("figd_"), Exactly(UrlSafe, 40)]),
    Rule::token("clickup-token", "ClickUp API token", r"pk_[0-9]{5,10}_[A-Z0-9]{32}")
        .keywords(&["pk_"])
        .entropy(3.5)
        .shape(&[Text("pk_"), Exactly(Digit, 8), Text("_"), Exactly(UpperAlnum, 32)]),
    Rule::token(
        "mapbox-token",
        "Mapbox access token",
        concat!(r"[ps]k\.eyJ[A-Za-z0-9_\-]{50,}\.[A-Za-z0-9_\-]{22}|[ps]k\.[a-z0-9]{60}", r"\.[a-z0-9]{22}"),
    )
    .keywords(&["pk.", "sk."])
    .entropy(3.5)
    .shape(&[Text("sk.eyJ"), AtLeast(Alnum, 60), Text("."), Exactly(Alnum, 22)]),
    Rule::token("maxmind-key", "MaxMind licence key", r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk")
        .keywords(&["_mmk"])
        .entropy(3.5)
        .shape(&[Exactly(Alnum, 6), Text("_"), Exactly(Alnum, 29), Text("_mmk")]),
    Rule::assigned("rapidapi-key", "RapidAPI key", "rapid[_-]?api", r"[A-Za-z0-9_\-]{50}")
        .keywords(&["rapidapi", "rapid_api", "rapid-api"])
        .entropy(3.5)
        .around("X-RapidAPI-Key: ", "\n")
        .shape(&[Exactly(Alnum, 50)]),
    Rule::assigned("beamer-token", "Beamer API token", "beamer", r"b_[A-Za-z0-9=_\-]{44}")
        .keywords(&["beamer"])
        .entropy(3.0)
        .around("BEAMER_API_KEY=", "\n")
        .shape(&[Text("b_"), Exactly(Alnum, 44)]),
    Rule::assigned("flickr-key", "Flickr API key", "flickr", r"[a-f0-9]{32}")
        .keywords(&["flickr"])
        .around("FLICKR_API_KEY=", "\n")
        .shape(&[Exactly(Hex, 32)]),
    Rule::assigned(
        "nytimes-key",
        "New York Times API key",
        "ny[_-]?times|new[_-]york[_-]times",
        r"[A-Za-z0-9=_\-]{32}",
    )
    .keywords(&[
        "nytimes",
        "ny_times",
        "ny-times",
        "new_york_times",
        "new-york-times",
        "new-york_times",
        "new_york-times",
    ])
    .entropy(3.5)
    .around("NYTIMES_API_KEY=", "\n")
    .shape(&[Exactly(Alnum, 32)]),
    Rule::token("adafruit-key", "Adafruit IO key", r"aio_[A-Za-z]{4}[0-9]{2}[A-Za-z0-9]{22}")
        .keywords(&["aio_"])
        .entropy(3.5)
        .shape(&[Text("aio_"), Exactly(Letter, 4), Exactly(Digit, 2), Exactly(Alnum, 22)]),
    Rule::assigned("adafruit-legacy-key", "Adafruit API key", "adafruit", r"[a-z0-9_\-]{32}")
        .keywords(&["adafruit"])
        .entropy(3.0)
        .around("ADAFRUIT_API_KEY=", "\n")
        .shape(&[Exactly(LowerAlnum, 32)]),
    Rule::token("censys-token", "Censys personal access token", r"censys_[A-Za-z0-9]{8}_[A-Za-z0-9]{24,}")
        .keywords(&["censys_"])
        .entropy(3.5)
        .shape(&[Text("censys_"), Exactly(Alnum, 8), Text("_"), AtLeast(Alnum, 24)]),
    Rule::token("ionic-token", "Ionic access token", r"ion_[A-Za-z0-9]{42}")
        .keywords(&["ion_"])
        .entropy(3.5)
        .shape(&[Text("ion_"), Exactly(Alnum, 42)]),
];
