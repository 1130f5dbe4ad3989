//! The strict reader, by the JSON test suite.

use contract::json::{Fault, Value};

use crate::vectors::{Known as _, READER, bytes, json, names};

const EXPECTED: &str = "derived/json_reader_expected.json";

fn read(folder: &str, name: &str) -> Result<Value, Fault> {
    Value::parse(&bytes(&format!("json-test-suite/{folder}/{name}")), &READER)
}

fn code(read: &Result<Value, Fault>) -> Option<&'static str> {
    read.as_ref().err().map(|fault| fault.code.as_str())
}

#[test]
fn each_file_is_read_or_refused_as_expected() {
    let expected = json(EXPECTED);
    let mut counted = [0; 3];
    for name in names("json-test-suite/test_parsing") {
        let read = read("test_parsing", &name);
        let kind = match name.split_once('_').unwrap().0 {
            "y" => {
                let refused = expected.at("y_rejected").get(&name).and_then(Value::as_str);
                assert_eq!(code(&read), refused, "{name}");
                0
            }
            "n" => {
                assert!(read.is_err(), "{name}");
                1
            }
            _ => {
                assert_eq!(code(&read), expected.at("i_files").at(&name).as_str(), "{name}");
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
        let read = read("test_transform", &name);
        let expected = expected.at("test_transform").at(&name);
        assert_eq!(code(&read), expected.get("code").and_then(Value::as_str), "{name}");
        let canonical = read.ok().map(|value| value.to_canonical());
        assert_eq!(
            canonical.as_deref(),
            expected.get("canonical").and_then(Value::as_str),
            "{name}"
        );
    }
}
