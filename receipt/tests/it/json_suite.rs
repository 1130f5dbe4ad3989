//! The strict JSON parser against `JSONTestSuite`.

use contract::json::{ParseError, Value};

use crate::vectors::{Known as _, READER, bytes, json, names};

const EXPECTED: &str = "derived/json_reader_expected.json";

fn parse(directory: &str, name: &str) -> Result<Value, ParseError> {
    Value::parse(&bytes(&format!("json-test-suite/{directory}/{name}")), &READER)
}

fn code(result: &Result<Value, ParseError>) -> Option<&'static str> {
    result.as_ref().err().map(|error| error.code.as_str())
}

#[test]
fn each_file_is_accepted_or_refused_as_expected() {
    let expected = json(EXPECTED);
    let mut counted = [0; 3];
    for name in names("json-test-suite/test_parsing") {
        let result = parse("test_parsing", &name);
        let kind = match name.split_once('_').unwrap().0 {
            "y" => {
                let expected_code = expected.at("y_rejected").get(&name).and_then(Value::as_str);
                assert_eq!(code(&result), expected_code, "{name}");
                0
            }
            "n" => {
                assert!(result.is_err(), "{name}");
                1
            }
            _ => {
                assert_eq!(code(&result), expected.at("i_files").at(&name).as_str(), "{name}");
                2
            }
        };
        counted[kind] += 1;
    }
    assert_eq!(counted, [95, 188, 35]);
}

#[test]
fn each_text_is_transformed_as_expected() {
    let expected = json(EXPECTED);
    let names = names("json-test-suite/test_transform");
    assert_eq!(names.len(), 22);
    for name in names {
        let result = parse("test_transform", &name);
        let expected = expected.at("test_transform").at(&name);
        assert_eq!(code(&result), expected.get("code").and_then(Value::as_str), "{name}");
        let canonical = result.ok().map(|value| value.to_canonical());
        assert_eq!(
            canonical.as_deref(),
            expected.get("canonical").and_then(Value::as_str),
            "{name}"
        );
    }
}
