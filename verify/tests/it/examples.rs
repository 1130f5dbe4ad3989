//! Bundles of a retired key and of a frozen log, each with a trust document and its result. The tests of
//! the command and of the page `/verify` verify the same bundles.

use std::{env, fs, path::Path};

use contract::json::{Object, Value};
use receipt::{
    bundle::{Files, write_json},
    trust_registry::SignedRegistry,
};
use verify::{Options, Trust, TrustDocument, verify};

use crate::{
    fixtures::{self, Log, Plan},
    frozen_logs::FrozenLog,
    outcome::codes,
    stolen_keys::retire_service_key,
};

/// A bundle with a trust document and the expected result.
pub(crate) struct Example {
    pub(crate) name: &'static str,
    /// The bundle in its JSON form.
    pub(crate) bundle: String,
    /// The trust document as JSON.
    pub(crate) trust_document: String,
    pub(crate) exit_code: i32,
    /// The claims that are failed or indeterminate, with their codes.
    pub(crate) codes: &'static [&'static str],
}

impl Example {
    fn new(
        name: &'static str,
        bundle: &Files,
        registry: &SignedRegistry,
        (exit_code, codes): (i32, &'static [&'static str]),
    ) -> Self {
        let bundle = write_json(bundle).unwrap().text;
        let trust_document = fixtures::trust_document(registry).to_canonical();
        Self { name, bundle, trust_document, exit_code, codes }
    }
}

pub(crate) fn examples() -> [Example; 3] {
    let valid = Plan::default().build();
    // The holder of the retired key signs a backdated receipt, which is not in the log.
    let log = Log { is_running: false, ..Log::default() };
    let backdated = Plan { registry: retire_service_key, log, ..Plan::default() }.build();
    [
        Example::new(
            "backdated_receipt",
            &backdated.decision,
            &fixtures::registry(retire_service_key),
            (3, &["receipt KEY_RETIRED_UNANCHORED", "transparency_proof ANCHOR_PENDING"]),
        ),
        Example::new(
            "frozen_log",
            &valid.decision,
            &FrozenLog::with(&valid, 5).registry(),
            (3, &["transparency_proof LOG_FROZEN"]),
        ),
        Example::new(
            "checkpoint_after_freeze",
            &valid.decision,
            &FrozenLog::before_seal(&valid).registry(),
            (1, &["transparency_proof CHECKPOINT_AFTER_FREEZE"]),
        ),
    ]
}

#[test]
fn examples_have_the_expected_results() {
    for example in examples() {
        let document = TrustDocument::read(example.trust_document.as_bytes()).unwrap();
        let trust = Trust::new(document).unwrap();
        let report = verify(example.bundle.as_bytes(), &trust, &Options::default());
        assert_eq!(codes(&report), example.codes, "{}", example.name);
        assert_eq!(i32::from(report.overall.exit_code()), example.exit_code, "{}", example.name);
    }
}

/// The browser tests read the examples from this file. `GOVERN_WRITE_EXAMPLES=1` writes it.
#[test]
fn examples_file_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/examples.json");
    let examples = examples().map(|example| {
        Value::from(Object::from([
            ("name", example.name.into()),
            ("bundle", example.bundle.into()),
            ("trust_document", example.trust_document.into()),
            ("exit_code", example.exit_code.into()),
        ]))
    });
    let text = format!("{}\n", examples.into_iter().collect::<Value>().to_canonical());
    if env::var_os("GOVERN_WRITE_EXAMPLES").is_some() {
        fs::write(&path, &text).unwrap();
    }
    let is_current = fs::read_to_string(&path).is_ok_and(|stored| stored == text);
    assert!(is_current, "`{}` is out of date; set GOVERN_WRITE_EXAMPLES=1", path.display());
}
