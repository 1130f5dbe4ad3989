//! Files that are not bundles, and malformed files in bundles.

use contract::{json::Value, verification::Claim};
use receipt::bundle::{Files, path, write_archive, write_json};
use verify::{Code, Options, Overall, Report, Trust, verify};

use crate::{
    fixtures::{Plan, altered, set},
    outcome::{check, codes},
};

fn report_for(bytes: &[u8]) -> Report {
    verify(bytes, &Trust::default(), &Options::default())
}

/// Returns whether the file was refused before any other claim was checked.
fn is_refused(report: &Report) -> bool {
    let manifest = report.claim(Claim::Manifest).unwrap().code == Some(Code::ArchiveMalformed);
    let others = report.claims.iter().filter(|claim| claim.name != Claim::Manifest);
    manifest
        && report.overall == Overall::Failed
        && others.into_iter().all(|claim| claim.code == Some(Code::NotEvaluated))
}

#[test]
fn malformed_bundle_is_refused() {
    let archive = write_archive(&Plan::default().build().decision).unwrap();
    let json = write_json(&Plan::default().build().decision).unwrap().text;
    let mut files = vec![
        Vec::new(),
        b"{".to_vec(),
        b"{}".to_vec(),
        b"PK\x03\x04".to_vec(),
        vec![0; 512],
        archive[..archive.len() - 1].to_vec(),
        [&archive[..], &[0; 512]].concat(),
        [&[0; 512], &archive[..]].concat(),
        json.replacen("\"files\"", "\"files\":{},\"files\"", 1).into_bytes(),
        json.replacen("\"kind\":\"decision\"", "\"kind\":\"chain\"", 1).into_bytes(),
        json.as_bytes()[..json.len() - 1].to_vec(),
    ];
    // The headers of gzip data, of a GNU archive and of a symbolic link.
    for (index, byte) in
        [(0, 0x1f), (257 + 5, b' '), (156, b'2'), (100, b'1'), (148, b'9'), (345, b'a')]
    {
        let mut changed = archive.clone();
        changed[index] = byte;
        files.push(changed);
    }
    for (number, file) in files.iter().enumerate() {
        assert!(is_refused(&report_for(file)), "file {number}");
    }
    let report = report_for(b"").to_value();
    assert_eq!(report.get("kind"), Some(&Value::Null));
    assert_eq!(report.get("subject"), Some(&Value::Null));
}

#[test]
fn empty_bundle_establishes_nothing() {
    let bundles = Plan::default().build();
    let report = check(&Files::default(), &bundles.trust);
    assert_ne!(report.overall, Overall::Verified);
    assert!(report.established().is_empty(), "{report:#?}");
    assert_eq!(report.claims.len(), 10);
    assert!(report.claims.iter().all(|claim| claim.code.is_some()), "{report:#?}");
}

#[test]
fn deep_or_long_files_are_refused() {
    let bundles = Plan::default().build();
    for text in ["[".repeat(1 << 20), format!("[{}0]", "0,".repeat(1 << 20)), "9".repeat(1 << 20)] {
        for name in ["receipt/receipt.json", "policy/snapshot.json", path::LINKS, path::REGISTRY] {
            let mut files = bundles.decision.clone();
            set(&mut files, name, text.as_str());
            assert_eq!(check(&files, &bundles.trust).overall, Overall::Failed, "{name}");
        }
    }
    // More object members than the limit allows, in a text of 16 MB.
    let many = format!("[{}{{}}]", "{\"\":0},".repeat(2_000_001));
    let files = altered(&bundles.decision, |files| set(files, path::PROFILE, many));
    assert_eq!(codes(&check(&files, &bundles.trust)), ["canonicalisation LIMIT_MEMBERS"]);
}
