use super::super::verify::{VerifiedSignature, verify_review, verify_signature};
use super::super::*;
use super::fixture::*;
use deed_canon::{Envelope, IN_TOTO_PAYLOAD_TYPE};
use deed_model::ReviewRole;

fn verify(envelope: &Envelope, pack: &Candidate, book: &Book) -> Result<VerifiedSignature, Vec<deed_diag::Diagnostic>> {
    verify_signature(envelope, &book.trusted(), SigningTime::Now, pack)
}

#[test]
fn every_way_to_be_wrong_has_its_own_code() {
    let (pack, other) = (candidate("1.0.0"), candidate("1.0.1"));
    let mut book = Book::new();
    book.trust(signer(3, "globex"), None).unwrap();
    book.trust(signer(4, "acme"), None).unwrap();
    book.trust(signer(5, "acme"), Some(key(4).public().id())).unwrap();
    book.trust(signer(6, "acme"), None).unwrap();
    book.revoke_key(&key(6).public().id(), "stolen").unwrap();
    assert_eq!(verify(&signed(&pack, 1), &pack, &book).unwrap().key_id, key(1).public().id());
    refused(verify(&signed(&pack, 9), &pack, &book), &["D1301"]);
    refused(verify(&signed(&pack, 6), &pack, &book), &["D1302"]);
    refused(verify(&signed(&pack, 4), &pack, &book), &["D1303"]);
    refused(verify(&signed(&pack, 3), &pack, &book), &["D1304"]);
    refused(verify(&signed(&pack, 2), &pack, &book), &["D1304"]);
    refused(verify(&signed(&other, 1), &pack, &book), &["D1307"]);
    let mut forged = signed(&pack, 1);
    forged.payload = signed(&other, 1).payload;
    refused(verify(&forged, &other, &book), &["D1306"]);
    let review = reviewed(&pack, ReviewRole::Data, 2);
    refused(verify(&review, &pack, &book), &["D1308"]);
    refused(verify(&Envelope::sign(IN_TOTO_PAYLOAD_TYPE, b"{}", &key(1)), &pack, &book), &["D1308"]);
    let unsigned = Envelope { signatures: Vec::new(), ..signed(&pack, 1) };
    refused(verify(&unsigned, &pack, &book), &["D1308"]);
    let by_signer = reviewed(&pack, ReviewRole::Data, 1);
    refused(verify_review(&by_signer, &book.trusted(), SigningTime::Now, &pack), &["D1305"]);
    let outside = reviewed(&pack, ReviewRole::Architecture, 2);
    refused(verify_review(&outside, &book.trusted(), SigningTime::Now, &pack), &["D1305"]);
}

#[test]
fn a_key_id_cannot_be_borrowed() {
    let pack = candidate("1.0.0");
    let mut envelope = signed(&pack, 9);
    envelope.signatures[0].keyid = key(1).public().id().to_string();
    refused(verify(&envelope, &pack, &Book::new()), &["D1306"]);
}

#[test]
fn envelopes_come_back_as_they_were_stored() {
    let envelope = signed(&candidate("1.0.0"), 1);
    assert_eq!(read_envelope(&envelope_bytes(&envelope).unwrap()), Ok(envelope));
    assert!(read_envelope(b"{}").is_err());
}

#[test]
fn the_documents_can_be_found_from_the_statement() {
    let (value, overlay) = with_overlay("1.0.0", "de");
    let pack = Candidate::new(&value, &[overlay]).unwrap();
    let named = documents_of(&signed(&pack, 1), &Book::new().trusted()).unwrap();
    assert_eq!(named.pack, pack.sha256());
    assert_eq!((named.overlays, named.golden), (vec![pack.overlays()[0].sha256()], Vec::new()));
    let overlays = vec![pack.overlays()[0].bytes().to_vec()];
    let again = Candidate::from_canonical(pack.bytes().to_vec(), overlays).unwrap();
    assert_eq!((again.content_hash(), again.overlay_records()), (pack.content_hash(), pack.overlay_records()));
    let typed = deed_canon::hash(&deed_model::CONTEXT_PACK_TAG, pack.document()).unwrap();
    assert_eq!(typed, pack.content_hash());
    refused(Candidate::from_canonical([pack.bytes(), b" "].concat(), Vec::new()).map(|_| ()), &["D1212"]);
}
