//! Build, delivery and infrastructure automation.

use crate::secrets::rule::Rule;
use crate::shape::Charset::*;
use crate::shape::Part::*;

/// The rules of this field.
pub(super) const RULES: &[Rule] = &[
    Rule::token("circleci-token", "CircleCI access token", r"CCI(?:PAT|PRJ)_[A-Za-z0-9]{22}_[a-f0-9]{40}")
        .keywords(&["CCIPAT_", "CCIPRJ_"])
        .entropy(3.0)
        .shape(&[Text("CCIPAT_"), Exactly(Alnum, 22), Text("_"), Exactly(Hex, 40)]),
    Rule::assigned("circleci-legacy-token", "CircleCI legacy token", "circle", r"[a-f0-9]{40}")
        .keywords(&["circle"])
        .around("CIRCLECI_TOKEN=", "\n")
        .shape(&[Exactly(Hex, 40)]),
    Rule::assigned("travis-token", "Travis CI access token", "travis", r"[A-Za-z0-9_\-]{22}")
        .keywords(&["travis"])
        .entropy(3.5)
        .around("TRAVIS_TOKEN=", "\n")
        .shape(&[Exactly(Alnum, 22)]),
    Rule::assigned("drone-token", "Drone CI access token", "drone", r"[A-Za-z0-9]{32}")
        .keywords(&["drone"])
        .entropy(3.5)
        .around("DRONE_TOKEN=", "\n")
        .shape(&[Exactly(Alnum, 32)]),
    Rule::token("buildkite-token", "Buildkite API token", r"bk(?:ua|pt|ct)_[a-z0-9]{40,}")
        .keywords(&["bkua_", "bkpt_", "bkct_"])
        .entropy(3.0)
        .shape(&[Text("bkua_"), AtLeast(Hex, 40)]),
    Rule::token("octopus-key", "Octopus Deploy API key", r"API-[A-Z0-9]{26,}")
        .keywords(&["API-"])
        .entropy(3.5)
        .shape(&[Text("API-"), AtLeast(UpperAlnum, 26)]),
    Rule::token("harness-key", "Harness API key", r"(?:pat|sat)\.[A-Za-z0-9_\-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}")
        .keywords(&["pat.", "sat."])
        .entropy(3.5)
        .shape(&[Text("pat."), Exactly(UrlSafe, 22), Text("."), Exactly(Hex, 24), Text("."), Exactly(Alnum, 20)]),
    Rule::assigned("jenkins-token", "Jenkins API token", "jenkins", r"11[a-f0-9]{32}")
        .keywords(&["jenkins"])
        .around("JENKINS_API_TOKEN=", "\n")
        .shape(&[Text("11"), Exactly(Hex, 32)]),
    Rule::token(
        "teamcity-token",
        "TeamCity access token",
        r"eyJ0eXAiOiAiVENWMiJ9\.[A-Za-z0-9_\-]{36}\.[A-Za-z0-9_\-]{48}",
    )
    .keywords(&["eyJ0eXAiOiAiVENWMiJ9"])
    .entropy(3.5)
    .shape(&[Text("eyJ0eXAiOiAiVENWMiJ9."), Exactly(UrlSafe, 36), Text("."), Exactly(UrlSafe, 48)]),
    Rule::assigned("codecov-token", "Codecov upload token", "codecov", r"<UUID>|[a-z0-9]{32}")
        .keywords(&["codecov"])
        .entropy(3.0)
        .around("CODECOV_TOKEN=", "\n")
        .shape(&[Exactly(LowerAlnum, 32)]),
    Rule::token("terraform-token", "Terraform Cloud API token", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_\-=]{60,70}")
        .keywords(&[".atlasv1."])
        .entropy(3.5)
        .shape(&[Exactly(Alnum, 14), Text(".atlasv1."), AtLeast(Alnum, 60)]),
    Rule::within(
        "terraform-password",
        "password in a Terraform resource",
        concat!(
            r#"(?i:administrator_login_password|admin_password|master_password"#,
            r#"|db_password)[ \t]{0,16}=[ \t]{0,16}"(?P<secret>[!#-~]{8,64})""#
        ),
    )
    .keywords(&["administrator_login_password", "admin_password", "master_password", "db_password"])
    .entropy(1.5)
    .around("administrator_login_password = \"", "\"")
    .shape(&[AtLeast(Alnum, 8)]),
    Rule::token("pulumi-token", "Pulumi access token", r"pul-[a-f0-9]{40}")
        .keywords(&["pul-"])
        .shape(&[Text("pul-"), Exactly(Hex, 40)]),
    Rule::token(
        "doppler-token",
        "Doppler token",
        r"dp\.(?:pt|ct|sa|scim|audit|st(?:\.[a-z0-9_\-]{2,35})?)\.[A-Za-z0-9]{40,44}",
    )
    .keywords(&["dp."])
    .entropy(3.5)
    .shape(&[Text("dp.pt."), AtLeast(Alnum, 40)]),
    Rule::token("infracost-key", "Infracost API key", r"ico-[A-Za-z0-9]{32}")
        .keywords(&["ico-"])
        .entropy(3.0)
        .shape(&[Text("ico-"), Exactly(Alnum, 32)]),
    Rule::token("prefect-key", "Prefect API key", r"pn[ub]_[A-Za-z0-9]{36}")
        .keywords(&["pnu_", "pnb_"])
        .entropy(3.0)
        .shape(&[Text("pnu_"), Exactly(Alnum, 36)]),
    Rule::token("settlemint-personal-token", "SettleMint personal access token", r"sm_pat_[A-Za-z0-9]{16}")
        .keywords(&["sm_pat_"])
        .entropy(3.0)
        .shape(&[Text("sm_pat_"), Exactly(Alnum, 16)]),
    Rule::token("settlemint-application-token", "SettleMint application access token", r"sm_aat_[A-Za-z0-9]{16}")
        .keywords(&["sm_aat_"])
        .entropy(3.0)
        .shape(&[Text("sm_aat_"), Exactly(Alnum, 16)]),
    Rule::token("settlemint-service-token", "SettleMint service access token", r"sm_sat_[A-Za-z0-9]{16}")
        .keywords(&["sm_sat_"])
        .entropy(3.0)
        .shape(&[Text("sm_sat_"), Exactly(Alnum, 16)]),
    Rule::within(
        "sidekiq-credential",
        "Sidekiq gem server credential",
        concat!(
            r"(?i:BUNDLE_(?:ENTERPRISE|GEMS)__CONTRIBSYS__COM)\w{0,16}",
            r"<ASSIGNS>[\x22']?(?P<secret>[a-f0-9]{8}:[a-f0-9]{8})\b"
        ),
    )
    .keywords(&["CONTRIBSYS__COM"])
    .entropy(2.0)
    .around("BUNDLE_ENTERPRISE__CONTRIBSYS__COM=", "\n")
    .shape(&[Exactly(Hex, 8), Text(":"), Exactly(Hex, 8)]),
    Rule::within(
        "sidekiq-server-url",
        "Sidekiq gem server URL with credential",
        concat!(r"https?://(?P<secret>[a-f0-9]{8}:[a-f0-9]{8})@(?:gems|enterprise)", r"\.contribsys\.com"),
    )
    .keywords(&["contribsys.com"])
    .entropy(2.0)
    .around("https://", "@gems.contribsys.com/")
    .shape(&[Exactly(Hex, 8), Text(":"), Exactly(Hex, 8)]),
];
