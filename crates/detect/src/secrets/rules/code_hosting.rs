//! Source hosts and package registries.

use crate::secrets::rule::Rule;
use crate::shape::Charset::*;
use crate::shape::Part::*;

/// The rules of this field.
pub(super) const RULES: &[Rule] = &[
    Rule::token("github-classic-token", "GitHub personal access token (classic)", r"ghp_[A-Za-z0-9]{36}")
        .keywords(&["ghp_"])
        .entropy(3.0)
        .shape(&[Text("ghp_"), Exactly(Alnum, 36)]),
    Rule::token(
        "github-fine-grained-token",
        "GitHub personal access token (fine-grained)",
        r"github_pat_[A-Za-z0-9_]{82}",
    )
    .keywords(&["github_pat_"])
    .entropy(3.0)
    .shape(&[Text("github_pat_"), Exactly(Alnum, 22), Text("_"), Exactly(Alnum, 59)]),
    Rule::token("github-oauth-token", "GitHub OAuth access token", r"gho_[A-Za-z0-9]{36}")
        .keywords(&["gho_"])
        .entropy(3.0)
        .shape(&[Text("gho_"), Exactly(Alnum, 36)]),
    Rule::token("github-installation-token", "GitHub App user or installation token", r"gh[us]_[A-Za-z0-9]{36,}")
        .keywords(&["ghu_", "ghs_"])
        .entropy(3.0)
        .shape(&[Text("ghs_"), AtLeast(Alnum, 36)]),
    Rule::token("github-app-refresh-token", "GitHub App refresh token", r"ghr_[A-Za-z0-9]{36,76}")
        .keywords(&["ghr_"])
        .entropy(3.0)
        .shape(&[Text("ghr_"), AtLeast(Alnum, 36)]),
    Rule::token(
        "gitlab-personal-token",
        "GitLab personal access token",
        r"glpat-[A-Za-z0-9_\-]{20,300}(?:\.[a-z0-9.]{9,12})?",
    )
    .keywords(&["glpat-"])
    .entropy(3.0)
    .shape(&[Text("glpat-"), AtLeast(Alnum, 20)]),
    Rule::token("gitlab-trigger-token", "GitLab pipeline trigger token", r"glptt-[A-Za-z0-9_\-]{20,40}")
        .keywords(&["glptt-"])
        .entropy(3.0)
        .shape(&[Text("glptt-"), AtLeast(Alnum, 20)]),
    Rule::token("gitlab-deployment-token", "GitLab deploy token", r"gldt-[A-Za-z0-9_\-]{20,}")
        .keywords(&["gldt-"])
        .entropy(3.0)
        .shape(&[Text("gldt-"), AtLeast(Alnum, 20)]),
    Rule::token("gitlab-job-token", "GitLab CI job token", r"glcbt-[A-Za-z0-9]{1,5}_[A-Za-z0-9_\-]{20,}")
        .keywords(&["glcbt-"])
        .entropy(3.0)
        .shape(&[Text("glcbt-"), Exactly(Alnum, 2), Text("_"), AtLeast(Alnum, 20)]),
    Rule::token("gitlab-feed-key", "GitLab feed token", r"glft-[A-Za-z0-9_\-]{20,}")
        .keywords(&["glft-"])
        .entropy(3.0)
        .shape(&[Text("glft-"), AtLeast(Alnum, 20)]),
    Rule::token("gitlab-mail-token", "GitLab incoming mail token", r"glimt-[A-Za-z0-9_\-]{25}")
        .keywords(&["glimt-"])
        .entropy(3.0)
        .shape(&[Text("glimt-"), Exactly(UrlSafe, 25)]),
    Rule::token("gitlab-agent-token", "GitLab agent for Kubernetes token", r"glagent-[A-Za-z0-9_\-]{50,}")
        .keywords(&["glagent-"])
        .entropy(3.0)
        .shape(&[Text("glagent-"), AtLeast(Alnum, 50)]),
    Rule::token("gitlab-oauth-secret", "GitLab OAuth application secret", r"gloas-[A-Za-z0-9_\-]{64}")
        .keywords(&["gloas-"])
        .entropy(3.0)
        .shape(&[Text("gloas-"), Exactly(UrlSafe, 64)]),
    Rule::token("gitlab-runner-registration", "GitLab runner registration token", r"GR1348941[A-Za-z0-9_\-]{20}")
        .keywords(&["GR1348941"])
        .entropy(3.0)
        .shape(&[Text("GR1348941"), Exactly(UrlSafe, 20)]),
    Rule::token(
        "gitlab-runner-token",
        "GitLab runner authentication token",
        r"glrt-[A-Za-z0-9_\-]{20,300}(?:\.[a-z0-9.]{9,12})?",
    )
    .keywords(&["glrt-"])
    .entropy(3.0)
    .shape(&[Text("glrt-"), AtLeast(Alnum, 20)]),
    Rule::token("gitlab-scim-key", "GitLab SCIM token", r"glsoat-[A-Za-z0-9_\-]{20,}")
        .keywords(&["glsoat-"])
        .entropy(3.0)
        .shape(&[Text("glsoat-"), AtLeast(Alnum, 20)]),
    Rule::token("gitlab-feature-flag-token", "GitLab feature flag client token", r"glffct-[A-Za-z0-9_\-]{20,}")
        .keywords(&["glffct-"])
        .entropy(3.0)
        .shape(&[Text("glffct-"), AtLeast(Alnum, 20)]),
    Rule::within("gitlab-session", "GitLab session cookie", r"_gitlab_session=(?P<secret>[0-9a-z]{32})\b")
        .keywords(&["_gitlab_session="])
        .around("Cookie: _gitlab_session=", ";")
        .shape(&[Exactly(Hex, 32)]),
    Rule::token("bitbucket-app-password", "Bitbucket app password", r"ATBB[A-Za-z0-9]{32}")
        .keywords(&["ATBB"])
        .entropy(3.0)
        .shape(&[Text("ATBB"), Exactly(Alnum, 32)]),
    Rule::token("bitbucket-repository-token", "Bitbucket repository access token", r"ATCTT3[A-Za-z0-9_\-=]{60,}")
        .keywords(&["ATCTT3"])
        .entropy(3.5)
        .shape(&[Text("ATCTT3"), AtLeast(Alnum, 60)]),
    Rule::assigned("bitbucket-oauth-key", "Bitbucket OAuth key", "bitbucket", r"[A-Za-z0-9]{18}|[A-Za-z0-9]{32}")
        .keywords(&["bitbucket"])
        .entropy(3.0)
        .around("BITBUCKET_CLIENT_KEY=", "\n")
        .shape(&[Exactly(Alnum, 32)]),
    Rule::assigned("bitbucket-oauth-secret", "Bitbucket OAuth secret", "bitbucket", r"[A-Za-z0-9=_\-]{64}")
        .keywords(&["bitbucket"])
        .entropy(3.5)
        .around("BITBUCKET_CLIENT_SECRET=", "\n")
        .shape(&[Exactly(Alnum, 64)]),
    Rule::token("atlassian-token", "Atlassian API token", r"ATATT3[A-Za-z0-9_\-=]{180,}")
        .keywords(&["ATATT3"])
        .entropy(3.5)
        .shape(&[Text("ATATT3"), AtLeast(Alnum, 180)]),
    Rule::assigned(
        "atlassian-legacy-token",
        "Atlassian legacy API token",
        "atlassian|confluence|jira",
        r"[A-Za-z0-9]{24}",
    )
    .keywords(&["atlassian", "confluence", "jira"])
    .entropy(3.5)
    .around("JIRA_API_TOKEN=", "\n")
    .shape(&[Exactly(Alnum, 24)]),
    Rule::token("sourcegraph-token", "Sourcegraph access token", r"sgp_(?:[a-fA-F0-9]{16}_|local_)?[a-fA-F0-9]{40}")
        .keywords(&["sgp_"])
        .shape(&[Text("sgp_"), Exactly(Hex, 40)]),
    Rule::assigned("gitea-token", "Gitea or Forgejo access token", "gitea|forgejo|codeberg", r"[a-f0-9]{40}")
        .keywords(&["gitea", "forgejo", "codeberg"])
        .around("GITEA_TOKEN=", "\n")
        .shape(&[Exactly(Hex, 40)]),
    Rule::token("npm-token", "npm access token", r"npm_[A-Za-z0-9]{36}")
        .keywords(&["npm_"])
        .entropy(3.0)
        .shape(&[Text("npm_"), Exactly(Alnum, 36)]),
    Rule::token("pypi-token", "PyPI upload token", r"pypi-AgE(?:IcHlwaS5vcmc|NdGVzdC5weXBpLm9yZw)[A-Za-z0-9_\-]{50,}")
        .keywords(&["pypi-AgE"])
        .entropy(3.0)
        .shape(&[Text("pypi-AgEIcHlwaS5vcmc"), AtLeast(UrlSafe, 50)]),
    Rule::token("rubygems-token", "RubyGems API key", r"rubygems_[a-f0-9]{48}")
        .keywords(&["rubygems_"])
        .shape(&[Text("rubygems_"), Exactly(Hex, 48)]),
    Rule::token("clojars-token", "Clojars deploy token", r"CLOJARS_[A-Za-z0-9]{60}")
        .keywords(&["CLOJARS_"])
        .entropy(3.0)
        .shape(&[Text("CLOJARS_"), Exactly(Alnum, 60)]),
    Rule::token("crates-io-token", "crates.io API token", r"cio[A-Za-z0-9]{32}")
        .keywords(&["cio"])
        .entropy(3.8)
        .shape(&[Text("cio"), Exactly(Alnum, 32)]),
    Rule::token("nuget-key", "NuGet API key", r"oy2[a-z0-9]{43}")
        .keywords(&["oy2"])
        .entropy(3.5)
        .shape(&[Text("oy2"), Exactly(LowerAlnum, 43)]),
    Rule::within(
        "nuget-clear-text-password",
        "NuGet password in clear text",
        r#"(?i:ClearTextPassword)"[ \t]{1,4}value="(?P<secret>[!#-~]{6,128})""#,
    )
    .keywords(&["ClearTextPassword"])
    .entropy(1.5)
    .around("<add key=\"ClearTextPassword\" value=\"", "\" />")
    .shape(&[AtLeast(Alnum, 6)]),
    Rule::token("artifactory-key", "Artifactory API key", r"AKCp[A-Za-z0-9]{69}")
        .keywords(&["AKCp"])
        .entropy(4.0)
        .shape(&[Text("AKCp"), Exactly(Alnum, 69)]),
    Rule::token("artifactory-reference", "Artifactory reference token", r"cmVmd[A-Za-z0-9]{59}")
        .keywords(&["cmVmd"])
        .entropy(4.0)
        .shape(&[Text("cmVmd"), Exactly(Alnum, 59)]),
    Rule::assigned(
        "jfrog-token",
        "JFrog access token",
        "jfrog|artifactory|bintray|xray",
        r"[A-Za-z0-9]{64}|[A-Za-z0-9]{73}",
    )
    .keywords(&["jfrog", "artifactory", "bintray", "xray"])
    .entropy(3.5)
    .around("JFROG_ACCESS_TOKEN=", "\n")
    .shape(&[Exactly(Alnum, 73)]),
    Rule::token("docker-hub-token", "Docker Hub access token", r"dckr_(?:pat|oat)_[A-Za-z0-9_\-]{27,32}")
        .keywords(&["dckr_"])
        .entropy(3.0)
        .shape(&[Text("dckr_pat_"), AtLeast(UrlSafe, 27)]),
    Rule::token("packagist-token", "Packagist token", r"packagist_[ou][ru]t_[a-f0-9]{68}")
        .keywords(&["packagist_"])
        .shape(&[Text("packagist_ort_"), Exactly(Hex, 68)]),
];
