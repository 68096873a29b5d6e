//! Clouds, hosting and networks.

use crate::secrets::rule::Rule;
use crate::shape::Charset::*;
use crate::shape::Part::*;

/// The rules of this field.
pub(super) const RULES: &[Rule] = &[
    Rule::token("aws-access-key-id", "AWS access key id", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}")
        .keywords(&["AKIA", "ASIA", "ABIA", "ACCA"])
        .entropy(2.8)
        .shape(&[Text("AKIA"), Exactly(Base32, 16)]),
    Rule::assigned("aws-secret-access-key", "AWS secret access key", "aws|amazon", r"[A-Za-z0-9/+]{40}")
        .keywords(&["aws", "amazon"])
        .entropy(4.0)
        .around("AWS_SECRET_ACCESS_KEY=", "\n")
        .shape(&[Exactly(Base64, 40)]),
    Rule::assigned("aws-session-token", "AWS session token", "aws|amazon", r"[A-Za-z0-9/+]{200,}={0,2}")
        .keywords(&["aws", "amazon"])
        .entropy(4.5)
        .around("aws_session_token = ", "\n")
        .shape(&[AtLeast(Base64, 200)]),
    Rule::token("aws-bedrock-api-key", "Amazon Bedrock API key", r"ABSK[A-Za-z0-9+/]{100,}={0,2}")
        .keywords(&["ABSK"])
        .entropy(3.5)
        .shape(&[Text("ABSK"), AtLeast(Base64, 100)]),
    Rule::token(
        "aws-bedrock-session-key",
        "short-lived Amazon Bedrock API key",
        r"bedrock-api-key-[A-Za-z0-9+/]{28,}={0,2}",
    )
    .keywords(&["bedrock-api-key-"])
    .entropy(3.5)
    .shape(&[Text("bedrock-api-key-"), AtLeast(Base64, 28)]),
    Rule::token("amazon-mws-token", "Amazon Marketplace Web Service token", r"amzn\.mws\.<UUID>")
        .keywords(&["amzn.mws."])
        .shape(&[Text("amzn.mws."), Uuid]),
    Rule::token(
        "azure-client-secret",
        "Azure application client secret",
        r"[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.\-]{31,34}",
    )
    .keywords(&["Q~"])
    .entropy(3.0)
    .shape(&[Exactly(Alnum, 3), Exactly(Digit, 1), Text("Q~"), AtLeast(Alnum, 31)]),
    Rule::within(
        "azure-storage-account-key",
        "Azure storage account key",
        r"(?i:AccountKey)[ \t]{0,4}=[ \t]{0,4}(?P<secret>[A-Za-z0-9+/]{86}==)",
    )
    .keywords(&["AccountKey"])
    .entropy(4.0)
    .around("AccountName=box;AccountKey=", ";EndpointSuffix=core.windows.net")
    .shape(&[Exactly(Base64, 86), Text("==")]),
    Rule::within(
        "azure-shared-access-key",
        "Azure shared access key",
        r"(?i:SharedAccessKey)[ \t]{0,4}=[ \t]{0,4}(?P<secret>[A-Za-z0-9+/]{43}=)",
    )
    .keywords(&["SharedAccessKey"])
    .entropy(3.5)
    .around("SharedAccessKeyName=root;SharedAccessKey=", "")
    .shape(&[Exactly(Base64, 43), Text("=")]),
    Rule::within(
        "azure-sas-signature",
        "Azure shared access signature",
        r"[?&]sig=(?P<secret>[A-Za-z0-9%+/]{43,60}(?:%3[dD]|=))",
    )
    .keywords(&["sig="])
    .entropy(3.5)
    .around("https://box.blob.core.windows.net/c?sv=2024-11-04&sig=", "")
    .shape(&[AtLeast(Alnum, 43), Text("%3D")]),
    Rule::assigned(
        "azure-devops-token",
        "Azure DevOps personal access token",
        r"azure|ado_|devops|vsts",
        r"[a-z2-7]{52}|[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}",
    )
    .keywords(&["azure", "ado_", "devops", "vsts"])
    .entropy(3.5)
    .around("AZURE_DEVOPS_PAT: ", "\n")
    .shape(&[Exactly(Alnum, 76), Text("AZDO"), Exactly(Alnum, 4)]),
    Rule::token("google-api-key", "Google API key", r"AIza[A-Za-z0-9_\-]{35}")
        .keywords(&["AIza"])
        .entropy(3.5)
        .shape(&[Text("AIza"), Exactly(UrlSafe, 35)]),
    Rule::token("google-oauth-client-secret", "Google OAuth client secret", r"GOCSPX-[A-Za-z0-9_\-]{28}")
        .keywords(&["GOCSPX-"])
        .entropy(3.0)
        .shape(&[Text("GOCSPX-"), Exactly(UrlSafe, 28)]),
    Rule::token("google-oauth-access-token", "Google OAuth access token", r"ya29\.[A-Za-z0-9_\-]{40,}")
        .keywords(&["ya29."])
        .entropy(3.5)
        .shape(&[Text("ya29."), AtLeast(UrlSafe, 40)]),
    Rule::token("google-oauth-refresh-token", "Google OAuth refresh token", r"1//0[A-Za-z0-9_\-]{40,}")
        .keywords(&["1//0"])
        .entropy(3.5)
        .shape(&[Text("1//0"), AtLeast(UrlSafe, 40)]),
    Rule::token("alibaba-cloud-key-id", "Alibaba Cloud access key id", r"LTAI[A-Za-z0-9]{20}")
        .keywords(&["LTAI"])
        .shape(&[Text("LTAI"), Exactly(Alnum, 20)]),
    Rule::assigned(
        "alibaba-cloud-secret",
        "Alibaba Cloud access key secret",
        "alibaba|aliyun|alicloud",
        r"[A-Za-z0-9]{30}",
    )
    .keywords(&["alibaba", "aliyun", "alicloud"])
    .entropy(3.5)
    .around("ALIBABA_CLOUD_ACCESS_KEY_SECRET=", "\n")
    .shape(&[Exactly(Alnum, 30)]),
    Rule::token("tencent-cloud-secret-id", "Tencent Cloud secret id", r"AKID[A-Za-z0-9]{32}")
        .keywords(&["AKID"])
        .entropy(3.5)
        .shape(&[Text("AKID"), Exactly(Alnum, 32)]),
    Rule::assigned("ibm-cloud-api-key", "IBM Cloud API key", "ibm|bluemix", r"[A-Za-z0-9_\-]{44}")
        .keywords(&["ibm", "bluemix"])
        .entropy(3.5)
        .around("IBMCLOUD_API_KEY=", "\n")
        .shape(&[Exactly(UrlSafe, 44)]),
    Rule::token("digitalocean-token", "DigitalOcean personal access token", r"dop_v1_[a-f0-9]{64}")
        .keywords(&["dop_v1_"])
        .shape(&[Text("dop_v1_"), Exactly(Hex, 64)]),
    Rule::token("digitalocean-oauth-token", "DigitalOcean OAuth access token", r"doo_v1_[a-f0-9]{64}")
        .keywords(&["doo_v1_"])
        .shape(&[Text("doo_v1_"), Exactly(Hex, 64)]),
    Rule::token("digitalocean-oauth-refresh", "DigitalOcean OAuth refresh token", r"dor_v1_[a-f0-9]{64}")
        .keywords(&["dor_v1_"])
        .shape(&[Text("dor_v1_"), Exactly(Hex, 64)]),
    Rule::assigned("cloudflare-token", "Cloudflare API token", "cloudflare|cf_", r"[A-Za-z0-9_\-]{40}")
        .keywords(&["cloudflare", "cf_"])
        .entropy(3.5)
        .around("CLOUDFLARE_API_TOKEN: ", "\n")
        .shape(&[Exactly(UrlSafe, 40)]),
    Rule::assigned("cloudflare-account-key", "Cloudflare global API key", "cloudflare|cf_", r"[a-f0-9]{37}")
        .keywords(&["cloudflare", "cf_"])
        .around("CLOUDFLARE_API_KEY: ", "\n")
        .shape(&[Exactly(Hex, 37)]),
    Rule::token("cloudflare-origin-key", "Cloudflare origin CA key", r"v1\.0-[a-f0-9]{24}-[a-f0-9]{146}")
        .keywords(&["v1.0-"])
        .shape(&[Text("v1.0-"), Exactly(Hex, 24), Text("-"), Exactly(Hex, 146)]),
    Rule::token("heroku-platform-key", "Heroku platform API key", r"HRKU-AA[A-Za-z0-9_\-]{58}")
        .keywords(&["HRKU-"])
        .entropy(3.5)
        .shape(&[Text("HRKU-AA"), Exactly(UrlSafe, 58)]),
    Rule::assigned("heroku-key", "Heroku API key", "heroku", r"<UUID>")
        .keywords(&["heroku"])
        .around("HEROKU_API_KEY=\"", "\"")
        .shape(&[Uuid]),
    Rule::token("fly-token", "Fly.io access token", r"fo1_[A-Za-z0-9_\-]{43}|fm[12][ar]?_[A-Za-z0-9+/]{100,}={0,3}")
        .keywords(&["fo1_", "fm1", "fm2"])
        .entropy(3.5)
        .shape(&[Text("fo1_"), Exactly(UrlSafe, 43)]),
    Rule::token("yandex-cloud-key", "Yandex Cloud API key", r"AQVN[A-Za-z0-9_\-]{35,38}")
        .keywords(&["AQVN"])
        .entropy(3.5)
        .shape(&[Text("AQVN"), AtLeast(UrlSafe, 35)]),
    Rule::token(
        "yandex-iam-token",
        "Yandex Cloud IAM token",
        r"t1\.[A-Z0-9a-z_\-]{10,}={0,2}\.[A-Za-z0-9_\-]{86}={0,2}",
    )
    .keywords(&["t1."])
    .entropy(3.5)
    .shape(&[Text("t1."), Exactly(Alnum, 20), Text("."), Exactly(UrlSafe, 85), Exactly(Alnum, 1)]),
    Rule::token("yandex-storage-secret", "Yandex Cloud static access key", r"YC[A-Za-z0-9_\-]{38}")
        .keywords(&["YC"])
        .entropy(4.0)
        .shape(&[Text("YC"), Exactly(UrlSafe, 38)]),
    Rule::token("scalingo-token", "Scalingo API token", r"tk-us-[A-Za-z0-9_\-]{48}")
        .keywords(&["tk-us-"])
        .entropy(3.5)
        .shape(&[Text("tk-us-"), Exactly(UrlSafe, 48)]),
    Rule::token("openshift-token", "OpenShift user token", r"sha256~[A-Za-z0-9_\-]{43}")
        .keywords(&["sha256~"])
        .entropy(3.5)
        .shape(&[Text("sha256~"), Exactly(UrlSafe, 43)]),
    Rule::token("netlify-token", "Netlify personal access token", r"nf[pcoub]_[A-Za-z0-9]{36}")
        .keywords(&["nfp_", "nfc_", "nfo_", "nfu_", "nfb_"])
        .entropy(3.5)
        .shape(&[Text("nfp_"), Exactly(Alnum, 36)]),
    Rule::assigned("netlify-legacy-token", "Netlify legacy access token", "netlify", r"[A-Za-z0-9_\-]{43,46}")
        .keywords(&["netlify"])
        .entropy(3.5)
        .around("NETLIFY_AUTH_TOKEN=", "\n")
        .shape(&[AtLeast(UrlSafe, 43)]),
    Rule::assigned("vercel-token", "Vercel access token", "vercel", r"[A-Za-z0-9]{24}")
        .keywords(&["vercel"])
        .entropy(3.0)
        .around("VERCEL_TOKEN=", "\n")
        .shape(&[Exactly(Alnum, 24)]),
    Rule::assigned("linode-token", "Linode access token", "linode", r"[a-f0-9]{64}")
        .keywords(&["linode"])
        .around("LINODE_TOKEN=", "\n")
        .shape(&[Exactly(Hex, 64)]),
    Rule::assigned("hetzner-token", "Hetzner Cloud API token", "hetzner|hcloud", r"[A-Za-z0-9]{64}")
        .keywords(&["hetzner", "hcloud"])
        .entropy(3.5)
        .around("HCLOUD_TOKEN=", "\n")
        .shape(&[Exactly(Alnum, 64)]),
    Rule::assigned("fastly-token", "Fastly API token", "fastly", r"[A-Za-z0-9_\-]{32}")
        .keywords(&["fastly"])
        .entropy(3.0)
        .around("FASTLY_API_TOKEN=", "\n")
        .shape(&[Exactly(UrlSafe, 32)]),
    Rule::token("render-key", "Render API key", r"rnd_[A-Za-z0-9]{28,}")
        .keywords(&["rnd_"])
        .entropy(3.5)
        .shape(&[Text("rnd_"), AtLeast(Alnum, 28)]),
    Rule::assigned("meraki-key", "Cisco Meraki API key", "meraki", r"[a-f0-9]{40}")
        .keywords(&["meraki"])
        .entropy(3.0)
        .around("MERAKI_DASHBOARD_API_KEY=", "\n")
        .shape(&[Exactly(Hex, 40)]),
    Rule::token(
        "tailscale-key",
        "Tailscale key",
        r"tskey-(?:auth|api|client|scim|webhook)-[A-Za-z0-9]{8,}-[A-Za-z0-9]{24,}",
    )
    .keywords(&["tskey-"])
    .entropy(3.0)
    .shape(&[Text("tskey-auth-"), AtLeast(Alnum, 12), Text("-"), AtLeast(Alnum, 24)]),
    Rule::token(
        "defined-networking-key",
        "Defined Networking API key",
        r"dnkey-[A-Za-z0-9=_\-]{26}-[A-Za-z0-9=_\-]{52}",
    )
    .keywords(&["dnkey-"])
    .entropy(3.5)
    .shape(&[Text("dnkey-"), Exactly(Alnum, 26), Text("-"), Exactly(Alnum, 52)]),
    Rule::assigned("ngrok-token", "ngrok authentication token", "ngrok", r"[A-Za-z0-9]{24,30}_[A-Za-z0-9]{20,24}")
        .keywords(&["ngrok"])
        .entropy(3.5)
        .around("NGROK_AUTHTOKEN=", "\n")
        .shape(&[AtLeast(Alnum, 27), Text("_"), AtLeast(Alnum, 20)]),
];
