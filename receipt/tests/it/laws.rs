//! Laws of the tree and of its text, over generated values.

use contract::json::{Number, Object, Value};
use proptest::{collection::vec, prelude::*};
use receipt::{Canonical, Digest};

use crate::vectors::READER;

fn is_sound(character: char) -> bool {
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
    vec(plain.prop_filter("noncharacter", |character| is_sound(*character)), 0..20)
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

/// The members in the given order, with escapes and white space that canonical text has not.
fn loosely(members: &[(&str, &Value)]) -> String {
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
    fn what_is_written_is_read_as_the_same_value(value in value()) {
        let text = value.to_canonical();
        let read = Value::parse(text.as_bytes(), &READER);
        prop_assert_eq!(read, Ok(value));
    }

    #[test]
    fn writing_again_changes_nothing(value in value()) {
        let text = value.to_canonical();
        let again = Value::parse(text.as_bytes(), &READER).unwrap().to_canonical();
        prop_assert_eq!(again, text);
    }

    #[test]
    fn order_escapes_and_white_space_do_not_reach_the_digest(
        members in vec((text(), value()), 0..12),
        seed in any::<prop::sample::Index>(),
    ) {
        let object: Object = members.into_iter().collect();
        let mut members: Vec<_> = object.iter().collect();
        if !members.is_empty() {
            let turn = seed.index(members.len());
            members.rotate_left(turn);
            members.reverse();
        }
        let read = Value::parse(loosely(&members).as_bytes(), &READER).unwrap();
        prop_assert_eq!(Canonical::of(&read), Canonical::of(&object.into()));
    }

    #[test]
    fn a_number_is_read_as_the_double_that_was_written(number in number()) {
        let read = Value::parse(number.to_string().as_bytes(), &READER);
        prop_assert_eq!(read, Ok(Value::Number(number)));
    }

    #[test]
    fn serde_keeps_the_value(value in value()) {
        let text = serde_json::to_string_pretty(&value).unwrap();
        prop_assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in vec(any::<u8>(), 0..200)) {
        if let Ok(value) = Value::parse(&bytes, &READER) {
            prop_assert_eq!(Value::parse(value.to_canonical().as_bytes(), &READER), Ok(value));
        }
    }

    #[test]
    fn our_reader_takes_nothing_that_another_refuses(text in "[\\[\\]{}\",:0-9a-c.eE+\\-\\\\u \n]{0,40}") {
        if Value::parse(text.as_bytes(), &READER).is_ok() {
            prop_assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok());
        }
    }

    #[test]
    fn a_digest_is_read_as_it_is_written(bytes in any::<[u8; 32]>()) {
        let digest = Digest::from(bytes);
        prop_assert_eq!(digest.to_string().parse(), Ok(digest));
        prop_assert_eq!(digest.to_string(), hex::encode(bytes));
    }
}
