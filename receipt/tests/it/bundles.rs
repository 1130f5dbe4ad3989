//! Bundles: the bytes of the oracle, and archives that are not in canonical form.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use contract::{
    json::{Limits, Object, Value},
    verification::Claim,
};
use proptest::prelude::*;
use receipt::{
    Digest,
    approval::predecessors_max,
    bundle::{
        self, BundleFileError, BundleTooLarge, Files, Manifest, ParseArchiveError, Subject, path,
        read_archive, read_json, write_archive, write_json,
    },
    key::SigningKey,
};

use crate::{oracle::oracle, vectors::Known as _};

fn known_archive(name: &str) -> (Vec<u8>, String) {
    let oracle = oracle();
    let known = oracle.at(name);
    (STANDARD.decode(known.text("tar_base64")).unwrap(), known.text("tar_sha256").to_owned())
}

#[test]
fn bundles_match_the_oracle_byte_for_byte() {
    let oracle = oracle();
    let seed = oracle.at("test_keys").at("receipt").bytes("seed_hex");
    let key = SigningKey::from_seed(seed.try_into().unwrap());
    for name in ["decision_bundle", "chain_bundle"] {
        let (archive, digest) = known_archive(name);
        let mut files = read_archive(&archive).unwrap();
        let rewritten = write_archive(&files).unwrap();
        assert_eq!(Digest::compute(&rewritten).to_string(), digest);

        let manifest = files.remove(path::MANIFEST).unwrap();
        files.remove(path::MANIFEST_ENVELOPE).unwrap();
        let manifest = Value::parse(&manifest, &Limits::REQUEST).unwrap();
        let manifest = Manifest::read(&manifest).unwrap();
        assert_eq!(manifest.claims.len(), Claim::ALL.len());
        bundle::close(&mut files, &manifest.subject, Some(&key)).unwrap();
        assert_eq!(write_archive(&files).unwrap(), archive, "{name}");
    }
    let profile =
        oracle.list("objects").iter().find(|o| o.text("name") == "canonicalisation_profile");
    assert_eq!(bundle::profile().text, profile.unwrap().text("canonical"));
}

#[test]
fn json_form_has_the_same_files() {
    let (archive, _) = known_archive("chain_bundle");
    let files = read_archive(&archive).unwrap();
    let json = write_json(&files).unwrap();
    assert_eq!(read_json(json.text.as_bytes()), Ok(files));

    let value = Value::parse(json.text.as_bytes(), &Limits::BUNDLE_FILE).unwrap();
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
    assert!(with("files", files.into()).is_err(), "an invalid name");
    for text in ["", "{}", "[]", "{\"files\":{},\"files\":{}}"] {
        assert_eq!(read_json(text.as_bytes()), Err(ParseArchiveError), "{text}");
    }
}

#[test]
fn archive_has_exactly_one_form() {
    let mut files = Files::default();
    files.insert("a.json", "{}").unwrap();
    files.insert("b/c.json", "x".repeat(513)).unwrap();
    let archive = write_archive(&files).unwrap();
    assert_eq!(archive.len(), 512 + 512 + 512 + 1_024 + 1_024);
    assert_eq!(read_archive(&archive), Ok(files));
    // Every byte except the content of files must be exact.
    let is_content = |index: usize| (512..514).contains(&index) || (1_536..2_049).contains(&index);
    for index in (0..archive.len()).filter(|index| !is_content(*index)) {
        for bit in [1, 0x20, 0x80] {
            let mut changed = archive.clone();
            changed[index] ^= bit;
            assert_eq!(read_archive(&changed), Err(ParseArchiveError), "byte {index}");
        }
    }
    for length in 0..archive.len() {
        assert_eq!(read_archive(&archive[..length]), Err(ParseArchiveError), "{length}");
    }
    for end in [vec![0], vec![0; 512], b"x".to_vec(), archive.clone()] {
        assert_eq!(read_archive(&[archive.clone(), end].concat()), Err(ParseArchiveError));
    }
    let empty = write_archive(&Files::default()).unwrap();
    assert_eq!(read_archive(&empty), Ok(Files::default()));
}

#[test]
fn duplicate_and_unsorted_files_are_refused() {
    let entry = |name: &str| {
        let mut files = Files::default();
        files.insert(name, name).unwrap();
        let archive = write_archive(&files).unwrap();
        archive[..1_024].to_vec()
    };
    let archive = |names: &[&str]| {
        let mut bytes: Vec<u8> = names.iter().flat_map(|name| entry(name)).collect();
        bytes.extend([0; 1_024]);
        read_archive(&bytes)
    };
    assert!(archive(&["a", "b"]).is_ok());
    assert!(archive(&["a", "a"]).is_err(), "twice");
    assert!(archive(&["b", "a"]).is_err(), "out of order");
}

#[test]
fn only_plain_file_names_are_accepted() {
    for name in ["a", "0/_.x-y", "evidence/data/0.json", &"a".repeat(100)] {
        assert_eq!(Files::default().insert(name, ""), Ok(()), "{name}");
    }
    let long = "a".repeat(101);
    let refused =
        ["", "/a", "a/", "a//b", ".", "..", "a/../b", "A", "a b", "a\\b", "-a", "ä", "a\0"];
    for name in refused.into_iter().chain([&*long]) {
        let result = Files::default().insert(name, "");
        assert_eq!(result, Err(BundleFileError::Name(name.to_owned())));
    }
}

#[test]
fn bundle_exceeding_its_limits_is_refused() {
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
fn room_of_a_bundle_counts_what_must_still_be_added() {
    let mut files = Files::default();
    files.insert("a", vec![0; 32 << 20]).unwrap();
    assert!(files.has_room(16 << 20, 4_094, 16 << 20));
    assert!(!files.has_room(16 << 20, 4_095, 16 << 20), "4,096 files");
    assert!(!files.has_room(16 << 20, 4_094, (16 << 20) + 1), "64 MiB");
}

#[test]
fn policies_share_the_approvals_of_a_bundle() {
    for (policies, predecessors) in [(0, 64), (1, 64), (40, 64), (41, 62), (60, 42), (1_000, 1)] {
        assert_eq!(predecessors_max(policies), predecessors, "{policies}");
        assert!(policies * (predecessors + 1) <= 2_600);
    }
}

#[test]
fn file_without_a_claim_is_refused() {
    let mut files = Files::default();
    files.insert("elsewhere/a.json", "{}").unwrap();
    let subject = Subject::Chain {
        chain_id: uuid::Uuid::nil().into(),
        tenant_id: uuid::Uuid::nil().into(),
        step_count: 1,
        head: Digest::compute(b""),
    };
    let result = bundle::manifest(&files, &subject, None);
    assert_eq!(result, Err(BundleFileError::NoClaim("elsewhere/a.json".into())));
}

proptest! {
    #[test]
    fn archive_that_parses_is_rewritten_to_the_same_bytes(mut bytes in prop::collection::vec(any::<u8>(), 0..2_000), at: prop::sample::Index) {
        let (archive, _) = known_archive("decision_bundle");
        let from = at.index(archive.len() - bytes.len());
        bytes = [&archive[..from], &bytes, &archive[from + bytes.len()..]].concat();
        if let Ok(files) = read_archive(&bytes) {
            prop_assert_eq!(write_archive(&files), Ok(bytes));
        }
    }
}
