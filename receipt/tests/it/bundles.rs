//! Bundles: the oracle's, byte for byte, and archives that are not in their one form.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use contract::json::{Limits, Object, Value};
use proptest::prelude::*;
use receipt::{
    Digest,
    bundle::{
        self, ArchiveMalformed, BundleTooLarge, CLAIMS, FileRefused, Files, Manifest, Subject,
        path, read_archive, read_json, write_archive, write_json,
    },
    key::SigningKey,
};

use crate::{oracle::oracle, vectors::Known as _};

fn known(name: &str) -> (Vec<u8>, String) {
    let oracle = oracle();
    let known = oracle.at(name);
    (STANDARD.decode(known.text("tar_base64")).unwrap(), known.text("tar_sha256").to_owned())
}

#[test]
fn bundles_have_their_bytes() {
    let oracle = oracle();
    let seed = oracle.at("test_keys").at("receipt").bytes("seed_hex");
    let key = SigningKey::from_seed(seed.try_into().unwrap());
    for name in ["decision_bundle", "chain_bundle"] {
        let (archive, digest) = known(name);
        let mut files = read_archive(&archive).unwrap();
        let again = write_archive(&files).unwrap();
        assert_eq!(Digest::of(&again).to_string(), digest);

        let manifest = files.remove(path::MANIFEST).unwrap();
        files.remove(path::MANIFEST_ENVELOPE).unwrap();
        let manifest = Value::parse(&manifest, &Limits::REQUEST).unwrap();
        let manifest = Manifest::read(&manifest).unwrap();
        assert_eq!(manifest.claims.len(), CLAIMS.len());
        bundle::close(&mut files, &manifest.subject, Some(&key)).unwrap();
        assert_eq!(write_archive(&files).unwrap(), archive, "{name}");
    }
    let profile =
        oracle.list("objects").iter().find(|o| o.text("name") == "canonicalisation_profile");
    assert_eq!(bundle::profile().text, profile.unwrap().text("canonical"));
}

#[test]
fn the_json_form_has_the_same_members() {
    let (archive, _) = known("chain_bundle");
    let files = read_archive(&archive).unwrap();
    let json = write_json(&files).unwrap();
    assert_eq!(read_json(json.text.as_bytes()), Ok(files));

    let value = Value::parse(json.text.as_bytes(), &Limits::BUNDLE_MEMBER).unwrap();
    let with = |name: &str, member: Value| {
        let mut members: Object = value.as_object().unwrap().clone();
        members.insert(name, member);
        read_json(Value::from(members).to_canonical().as_bytes())
    };
    assert!(with("further", 1.into()).is_err());
    assert!(with("manifest", Object::new().into()).is_err(), "a copy that differs");
    assert!(with("files", Object::new().into()).is_err(), "no manifest among the files");
    let mut files: Object = value.at("files").as_object().unwrap().clone();
    files.insert("../x", "");
    assert!(with("files", files.into()).is_err(), "a name that is none");
    for text in ["", "{}", "[]", "{\"files\":{},\"files\":{}}"] {
        assert_eq!(read_json(text.as_bytes()), Err(ArchiveMalformed), "{text}");
    }
}

#[test]
fn an_archive_has_one_form() {
    let mut files = Files::default();
    files.insert("a.json", "{}").unwrap();
    files.insert("b/c.json", "x".repeat(513)).unwrap();
    let archive = write_archive(&files).unwrap();
    assert_eq!(archive.len(), 512 + 512 + 512 + 1_024 + 1_024);
    assert_eq!(read_archive(&archive), Ok(files));
    // Each byte of it counts but the content of members.
    let content = |at: usize| (512..514).contains(&at) || (1_536..2_049).contains(&at);
    for at in (0..archive.len()).filter(|at| !content(*at)) {
        for bit in [1, 0x20, 0x80] {
            let mut changed = archive.clone();
            changed[at] ^= bit;
            assert_eq!(read_archive(&changed), Err(ArchiveMalformed), "byte {at}");
        }
    }
    for length in 0..archive.len() {
        assert_eq!(read_archive(&archive[..length]), Err(ArchiveMalformed), "{length}");
    }
    for end in [vec![0], vec![0; 512], b"x".to_vec(), archive.clone()] {
        assert_eq!(read_archive(&[archive.clone(), end].concat()), Err(ArchiveMalformed));
    }
    let empty = write_archive(&Files::default()).unwrap();
    assert_eq!(read_archive(&empty), Ok(Files::default()));
}

#[test]
fn members_stand_once_and_in_order() {
    let one = |name: &str| {
        let mut files = Files::default();
        files.insert(name, name).unwrap();
        let archive = write_archive(&files).unwrap();
        archive[..1_024].to_vec()
    };
    let archive = |names: &[&str]| {
        let mut bytes: Vec<u8> = names.iter().flat_map(|name| one(name)).collect();
        bytes.extend([0; 1_024]);
        read_archive(&bytes)
    };
    assert!(archive(&["a", "b"]).is_ok());
    assert!(archive(&["a", "a"]).is_err(), "twice");
    assert!(archive(&["b", "a"]).is_err(), "out of order");
}

#[test]
fn names_are_plain() {
    for name in ["a", "0/_.x-y", "evidence/data/0.json", &"a".repeat(100)] {
        assert_eq!(Files::default().insert(name, ""), Ok(()), "{name}");
    }
    for name in [
        "",
        "/a",
        "a/",
        "a//b",
        ".",
        "..",
        "a/../b",
        "A",
        "a b",
        "a\\b",
        "-a",
        "ä",
        "a\0",
        &"a".repeat(101),
    ] {
        let refused = Files::default().insert(name, "");
        assert_eq!(refused, Err(FileRefused::Name(name.to_owned())));
    }
}

#[test]
fn a_bundle_has_limits() {
    let mut files = Files::default();
    for number in 0..4_096 {
        files.insert(format!("a{number}"), "").unwrap();
    }
    assert_eq!(files.insert("b", ""), Err(BundleTooLarge.into()));
    let mut files = Files::default();
    files.insert("a", vec![0; 64 << 20]).unwrap();
    assert_eq!(write_archive(&files), Err(BundleTooLarge));
    assert_eq!(files.insert("b", "1"), Err(BundleTooLarge.into()));
    assert!(read_archive(&vec![0; (64 << 20) + 1]).is_err());
}

#[test]
fn each_member_belongs_to_a_claim() {
    let mut files = Files::default();
    files.insert("elsewhere/a.json", "{}").unwrap();
    let subject = Subject::Chain {
        chain_id: uuid::Uuid::nil().into(),
        tenant_id: uuid::Uuid::nil().into(),
        step_count: 1,
        head: Digest::of(b""),
    };
    let refused = bundle::manifest(&files, &subject, None);
    assert_eq!(refused, Err(FileRefused::NoClaim("elsewhere/a.json".into())));
}

proptest! {
    #[test]
    fn what_is_read_is_written_again(mut bytes in prop::collection::vec(any::<u8>(), 0..2_000), at: prop::sample::Index) {
        let (archive, _) = known("decision_bundle");
        let from = at.index(archive.len() - bytes.len());
        bytes = [&archive[..from], &bytes, &archive[from + bytes.len()..]].concat();
        if let Ok(files) = read_archive(&bytes) {
            prop_assert_eq!(write_archive(&files), Ok(bytes));
        }
    }
}
