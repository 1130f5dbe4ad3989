//! Bundles of an independent implementation, valid and altered.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use contract::{json::Value, verification::Claim};
use receipt::bundle::{Files, read_archive, write_json};
use verify::{ClaimReport, Options, Report, Trust, TrustDocument, verify};

use crate::{
    outcome::check,
    vectors::{Known as _, json},
};

pub(crate) fn trust() -> Trust {
    let oracle = json("service_profile_oracle.json");
    let document = oracle.at("trust_document").to_canonical();
    Trust::new(TrustDocument::read(document.as_bytes()).unwrap()).unwrap()
}

pub(crate) fn archive(name: &str) -> Vec<u8> {
    STANDARD.decode(json("service_profile_oracle.json").at(name).text("tar_base64")).unwrap()
}

fn assert_claim(claim: &ClaimReport, known: &Value) {
    let name = claim.name;
    assert_eq!(claim.status.as_str(), known.text("status"), "{name}: {claim:?}");
    assert_eq!(claim.code.map(verify::Code::as_str), known.at("code").as_str(), "{name}");
    let notes: Value = claim.notes.iter().map(|note| note.as_str()).collect();
    assert_eq!(&notes, known.at("notes"), "{name}");
}

fn assert_report(report: &Report, known: &Value) {
    for claim in &report.claims {
        assert_claim(claim, known.at("claims").at(claim.name.as_str()));
    }
    assert_eq!(report.claims.len(), 10);
    assert_eq!(report.overall.as_str(), known.text("overall"));
    let exit_code = f64::from(report.overall.exit_code());
    assert_eq!(Some(exit_code), known.at("exit_code").as_f64());
}

#[test]
fn valid_bundles_verify_in_both_forms() {
    let oracle = json("service_profile_oracle.json");
    for name in ["decision_bundle", "chain_bundle"] {
        let archive = archive(name);
        let known = oracle.at(name).at("expected_with_evaluator");
        let report = verify(&archive, &trust(), &Options::default());
        assert_report(&report, known);
        let json = write_json(&read_archive(&archive).unwrap()).unwrap().text;
        let json_report = verify(json.as_bytes(), &trust(), &Options::default());
        assert_eq!(json_report.to_value(), report.to_value(), "both forms give the same report");
    }
}

#[test]
fn report_matches_the_oracle() {
    let oracle = json("service_profile_oracle.json");
    let known = oracle.at("decision_bundle").at("report");
    let report = verify(&archive("decision_bundle"), &trust(), &Options::default()).to_value();
    for name in ["schema", "overall", "exit_code", "kind", "subject", "trust", "checkpoint"] {
        assert_eq!(report.at(name), known.at(name), "{name}");
    }
    for (claim, known) in report.list("claims").iter().zip(known.list("claims")) {
        for name in ["name", "status", "code", "notes", "detail"] {
            assert_eq!(claim.at(name), known.at(name), "{name}");
        }
        for item in known.list("checked") {
            assert!(claim.list("checked").contains(item), "{claim} lacks {item}");
        }
    }
}

#[test]
fn every_claim_is_in_report_order() {
    let report = verify(b"", &Trust::default(), &Options::default());
    let claims = report.claims.iter().map(|claim| claim.name);
    assert!(claims.eq(Claim::ALL));
}

/// Returns the bundle with `set` applied: new text by path; `null` removes the file.
fn altered(set: &Value) -> Files {
    let mut files = read_archive(&archive("decision_bundle")).unwrap();
    for (path, text) in set.as_object().unwrap() {
        files.remove(path);
        if let Some(text) = text.as_str() {
            files.insert(path, text).unwrap();
        }
    }
    files
}

#[test]
fn altered_bundles_give_the_expected_codes() {
    let negatives = json("service_bundle_negatives.json");
    let cases = negatives.list("cases");
    assert_eq!(cases.len(), 37);
    for case in cases {
        let trust = match case.text("trust") {
            "default" => trust(),
            "none" => Trust::default(),
            other => panic!("{other}"),
        };
        let report = check(&altered(case.at("set")), &trust);
        let (name, known) = (case.text("name"), case.at("expect"));
        let claim = report.claim(known.text("claim").parse().unwrap()).unwrap();
        let actual =
            (report.overall.as_str(), claim.status.as_str(), claim.code.map(verify::Code::as_str));
        let expected = (known.text("overall"), known.text("status"), known.at("code").as_str());
        assert_eq!(actual, expected, "{name}: {:#?}", report.claims);
    }
}

#[test]
fn informational_files_do_not_affect_the_report() {
    let files = read_archive(&archive("decision_bundle")).unwrap();
    let report = check(&files, &trust()).to_value();
    for text in ["", "{}", "not even JSON", "{\"keys\":[1,1,{\"a\":1,\"a\":2}]}"] {
        let mut changed = files.clone();
        changed.remove("trusted_keys.json");
        changed.insert("trusted_keys.json", text).unwrap();
        assert_eq!(check(&changed, &trust()).to_value(), report, "{text}");
    }
}
