//! The life of a pack, and its verification in the registry and from files.

use crate::project::{Project, codes, repository};
use deed_app::keys::{TrustRequest, generate, own_keys, revoke, trust, trust_store};
use deed_app::packs::{
    Acceptance, OfflineFiles, PinRequest, RetiredKeys, head, lint, log, pin, publish, review, set_policy, sign,
    verify_files, verify_pinned, verify_registry, verify_version, versions, write_envelope,
};
use deed_model::{RegistryPolicy, ReviewRole, SelfReview};
use std::path::{Path, PathBuf};

const PACK: &str = "ctxpack.support@1.0.0";
const ISSUER: &str = "tenant_acme_prod";

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        match path.is_dir() {
            true => copy(&path, &target),
            false => assert!(std::fs::copy(&path, &target).is_ok(), "{}", path.display()),
        }
    }
}

/// A project with a pack that is signed, and its statements in `proof`.
fn signed() -> (Project, PathBuf) {
    let p = Project::new();
    let pack = p.path("support");
    copy(&repository("packs/support"), &pack);
    let policy = RegistryPolicy { self_review: SelfReview::Allowed, ..RegistryPolicy::default() };
    set_policy(&p.session, &policy, "one person").unwrap();
    generate(&p.home(), "acme", None).unwrap();
    let request = TrustRequest {
        key: "acme".to_owned(),
        issuer: ISSUER.to_owned(),
        may_sign: true,
        review_roles: ReviewRole::ALL.to_vec(),
        replaces: None,
        person: None,
    };
    trust(&p.session, &request).unwrap();
    assert!(lint(&p.session, &pack, true).unwrap().report.passed());
    let reviewed = review(&p.session, &pack, &ReviewRole::ALL, "acme", None).unwrap();
    for (role, envelope, _) in &reviewed.reviews {
        write_envelope(&p.path(&format!("proof/{role}.review.json")), envelope).unwrap();
    }
    let signed = sign(&p.session, &pack, "acme").unwrap();
    write_envelope(&p.path("proof/signature.json"), &signed.envelope).unwrap();
    (p, pack)
}

fn offline(p: &Project) -> OfflineFiles {
    let store = serde_json::to_vec(&trust_store(&p.session).unwrap()).unwrap();
    OfflineFiles {
        pack: p.path("support"),
        envelope: p.path("proof/signature.json"),
        trust: p.write("trust.json", store),
        reviews: vec![p.path("proof")],
        retired_keys: RetiredKeys::Refused,
    }
}

#[test]
fn a_version_is_verified_in_the_registry() {
    let (p, pack) = signed();
    publish(&p.session, &pack, &Acceptance::default()).unwrap();
    let verified = verify_version(&p.session, PACK).unwrap();
    assert_eq!(verified.loaded.candidate.pack_ref().to_string(), PACK);
    assert_eq!((verified.deprecated, verified.loaded.proof.reviews.len()), (None, 4));
    assert_eq!(versions(&p.session, Some("ctxpack.support")).unwrap().len(), 1);
    assert_eq!(versions(&p.session, Some("ctxpack.other")).unwrap().len(), 0);

    let (verification, warnings) = verify_registry(&p.session, None).unwrap();
    assert!(!warnings.has_errors());
    assert_eq!(verification.events as usize, log(&p.session, None, None).unwrap().len());
    let end = head(&p.session).unwrap().unwrap();
    assert!(verify_registry(&p.session, Some(end.hash)).is_ok());
    assert!(verify_registry(&p.session, Some(deed_canon::ContentHash::of_bytes(b"another log"))).is_err());
}

#[test]
fn a_pin_is_verified() {
    let (p, pack) = signed();
    publish(&p.session, &pack, &Acceptance::default()).unwrap();
    assert!(verify_pinned(&p.session, "ctxpack.support", "prod", None).is_err());
    let request = PinRequest { reference: PACK.to_owned(), environment: "prod".to_owned(), ..PinRequest::default() };
    pin(&p.session, &request).unwrap();
    let loaded = verify_pinned(&p.session, "ctxpack.support", "prod", None).unwrap();
    assert_eq!(loaded.candidate.pack_ref().to_string(), PACK);
}

#[test]
fn files_are_verified_without_a_registry() {
    let (p, pack) = signed();
    let files = offline(&p);
    let proof = verify_files(&files).unwrap();
    assert_eq!(proof.pack_ref.to_string(), PACK);
    let yaml = std::fs::read_to_string(pack.join("pack.yaml")).unwrap();
    std::fs::write(pack.join("pack.yaml"), yaml.replacen("max: 50000", "max: 99999", 1)).unwrap();
    assert_eq!(codes(verify_files(&files)).first().map(String::as_str), Some("D1307"));
    std::fs::write(pack.join("pack.yaml"), yaml).unwrap();
    let text = OfflineFiles { envelope: p.write("text.json", "{}"), ..files.clone() };
    assert_eq!(codes(verify_files(&text)), ["D1320"]);
    let store = OfflineFiles { trust: p.write("store.json", "{}"), ..files };
    assert_eq!(codes(verify_files(&store)), ["D1321"]);
}

#[test]
fn a_retired_key_proves_nothing_offline() {
    let (p, _) = signed();
    let old = own_keys(&p.home()).unwrap().remove(0);
    assert!(old.can_sign);
    generate(&p.home(), "next", None).unwrap();
    let request = TrustRequest {
        key: "next".to_owned(),
        issuer: ISSUER.to_owned(),
        may_sign: true,
        review_roles: ReviewRole::ALL.to_vec(),
        replaces: Some(old.public.id()),
        person: None,
    };
    trust(&p.session, &request).unwrap();
    let files = offline(&p);
    assert_eq!(codes(verify_files(&files)), ["D1314"]);
    assert!(verify_files(&OfflineFiles { retired_keys: RetiredKeys::Accepted, ..files }).is_ok());
    revoke(&p.session, "acme", "laptop stolen").unwrap();
    assert!(verify_files(&OfflineFiles { retired_keys: RetiredKeys::Accepted, ..offline(&p) }).is_err());
}

#[test]
fn a_folder_of_keys_that_cannot_be_read_is_an_error() {
    let p = Project::new();
    assert!(own_keys(&p.home()).unwrap().is_empty());
    std::fs::remove_dir_all(p.home().keys()).ok();
    std::fs::write(p.home().keys(), "not a folder").unwrap();
    assert_eq!(codes(own_keys(&p.home())), ["D0001"]);
}

#[test]
fn an_overlay_whose_name_is_not_utf8_is_an_error() {
    use std::os::unix::ffi::OsStrExt as _;
    let p = Project::new();
    let pack = p.path("support");
    copy(&repository("packs/support"), &pack);
    let name = std::ffi::OsStr::from_bytes(b"\xffstrict.yaml");
    std::fs::write(pack.join("overlays").join(name), "{}").unwrap();
    assert_eq!(codes(lint(&p.session, &pack, false)), ["D0001"]);
}
