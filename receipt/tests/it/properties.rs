//! Properties of JSON values and canonical text, over generated values.

use contract::json::{Number, Object, Value};
use proptest::{collection::vec, prelude::*};
use receipt::{CanonicalJson, Digest};

use crate::vectors::READER;

fn is_allowed(character: char) -> bool {
    let code = u32::from(character);
    !(0xFDD0..=0xFDEF).contains(&code) && code & 0xFFFE != 0xFFFE
}

fn text() -> impl Strategy<Value = String> {
    let plain = prop_oneof![
        8 => any::<char>(),
        4 => prop::char::range('\0', '\u{7f}'),
        2 => prop::char::range('\u{e000}', '\u{ffff}'),
        2 => prop::char::range('\u{10000}', '\u{10ffff}'),
    ];
    vec(plain.prop_filter("noncharacter", |character| is_allowed(*character)), 0..20)
        .prop_map(|characters| characters.into_iter().collect())
}

fn number() -> impl Strategy<Value = Number> {
    prop_oneof![
        any::<f64>().prop_filter_map("out of range", Number::new),
        any::<i32>().prop_map(Number::from),
        (-Number::MAX..=Number::MAX).prop_filter_map("out of range", Number::new),
        (-1e-5..1e-5).prop_filter_map("out of range", Number::new),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        number().prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 60, 8, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..8).prop_map(Value::from),
            vec((text(), inner), 0..8)
                .prop_map(|members| members.into_iter().collect::<Object>().into()),
        ]
    })
}

/// Writes the members in this order, with escapes and white space that canonical text does not
/// have.
fn non_canonical(members: &[(&str, &Value)]) -> String {
    let escaped = |name: &str| {
        let escapes: Vec<_> = name.encode_utf16().map(|unit| format!("\\u{unit:04X}")).collect();
        escapes.concat()
    };
    let members: Vec<_> = members
        .iter()
        .map(|(name, value)| format!(" \"{}\"\t: {value}\r\n", escaped(name)))
        .collect();
    format!("{{{}}}", members.join(","))
}

proptest! {
    #[test]
    fn written_value_parses_to_the_same_value(value in value()) {
        let text = value.to_canonical();
        let result = Value::parse(text.as_bytes(), &READER);
        prop_assert_eq!(result, Ok(value));
    }

    #[test]
    fn digest_does_not_depend_on_order_escapes_or_white_space(
        members in vec((text(), value()), 0..12),
        seed in any::<prop::sample::Index>(),
    ) {
        let object: Object = members.into_iter().collect();
        let mut members: Vec<_> = object.iter().collect();
        if !members.is_empty() {
            let rotation = seed.index(members.len());
            members.rotate_left(rotation);
            members.reverse();
        }
        let read = Value::parse(non_canonical(&members).as_bytes(), &READER).unwrap();
        prop_assert_eq!(CanonicalJson::from_value(&read), CanonicalJson::from_value(&object.into()));
    }

    #[test]
    fn number_text_parses_to_the_same_double(number in number()) {
        let result = Value::parse(number.to_string().as_bytes(), &READER);
        prop_assert_eq!(result, Ok(Value::Number(number)));
    }

    #[test]
    fn serde_round_trip_retains_the_value(value in value()) {
        let text = serde_json::to_string_pretty(&value).unwrap();
        prop_assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }

    #[test]
    fn parsed_bytes_have_a_canonical_text_that_parses(bytes in vec(any::<u8>(), 0..200)) {
        if let Ok(value) = Value::parse(&bytes, &READER) {
            prop_assert_eq!(Value::parse(value.to_canonical().as_bytes(), &READER), Ok(value));
        }
    }

    #[test]
    fn parser_accepts_only_what_serde_json_accepts(text in "[\\[\\]{}\",:0-9a-c.eE+\\-\\\\u \n]{0,40}") {
        if Value::parse(text.as_bytes(), &READER).is_ok() {
            prop_assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok());
        }
    }

    #[test]
    fn digest_text_parses_to_the_same_digest(bytes in any::<[u8; 32]>()) {
        let digest = Digest::from(bytes);
        prop_assert_eq!(digest.to_string().parse(), Ok(digest));
        prop_assert_eq!(digest.to_string(), hex::encode(bytes));
    }
}
