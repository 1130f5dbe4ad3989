//! Properties that hold for all texts.

use contract::{
    codification::{Clause, Codification, Disposition, LedgerEntry, SourceDocument},
    json::{Limits, Value},
};
use proptest::{prelude::*, sample::select};

fn block(text: &str, disposition: Disposition) -> Codification {
    let rule_code = (disposition == Disposition::Mapped).then(|| "R".to_owned());
    let clause =
        Clause { unit_id: "u".to_owned(), locator: "section 1".to_owned(), text: text.to_owned() };
    let entry = LedgerEntry { unit_id: "u".to_owned(), disposition, rule_code, note: None };
    let source = SourceDocument { document: "Code".to_owned(), url: None };
    Codification { source, clauses: vec![clause], ledger: vec![entry] }
}

fn rules() -> Vec<Value> {
    let text = br#"[{"code":"R","severity":"high","condition":{"field":"a_30","max":1e9}}]"#;
    let rules = Value::parse(text, &Limits::REQUEST).expect("the rules are JSON");
    rules.as_array().expect("a list of rules").to_vec()
}

/// Words that the lint detects, and separators.
const PIECES: &str = "\
    shall may not No person section 12 ( ) a ii § 30 days $ 1,000.5 million twenty - one half and \
    percent CFR reasonable means . May January Act of the ’";

proptest! {
    #[test]
    fn lint_is_deterministic_for_any_text(text in ".{0,200}") {
        let block = block(&text, Disposition::Mapped);
        let first = codify::lint::clauses(&block, &rules());
        prop_assert_eq!(first, codify::lint::clauses(&block, &rules()));
    }

    #[test]
    fn findings_of_random_legal_phrases_are_well_formed(
        words in prop::collection::vec(select(PIECES.split(' ').collect::<Vec<_>>()), 0..40),
        disposition in select(Disposition::ALL.to_vec()),
    ) {
        let block = block(&words.join(" "), disposition);
        for lint in codify::lint::clauses(&block, &rules()) {
            for finding in &lint.findings {
                let confidence = finding.evidence.confidence;
                prop_assert!((0.6..=1.0).contains(&confidence), "{}", confidence);
                prop_assert!(finding.message.contains('`'), "{}", finding.message);
            }
            let open = lint.findings.iter().any(|finding| finding.code == "undefined_reference");
            prop_assert_eq!(lint.needs_context, open);
        }
    }
}
