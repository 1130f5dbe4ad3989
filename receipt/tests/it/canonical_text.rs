//! Canonical text: official JCS pairs, RFC 8785 examples and two collections of numbers.

use contract::json::{Number, ParseErrorCode, Value, canonical_order, write_number, write_string};
use receipt::CanonicalJson;

use crate::vectors::{Known as _, READER, bytes, json, names, text};

fn canonical(bytes: &[u8]) -> String {
    CanonicalJson::from_value(&Value::parse(bytes, &READER).unwrap()).text
}

/// Writes numbers that `Value` refuses with the functions that `Value` uses.
fn write_foreign(value: &serde_json::Value, out: &mut String) {
    use serde_json::Value as Foreign;
    match value {
        Foreign::Number(number) => write_number(number.as_f64().unwrap(), out),
        Foreign::String(text) => write_string(text, out),
        Foreign::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                out.push(if index == 0 { '[' } else { ',' });
                write_foreign(element, out);
            }
            out.push(']');
        }
        Foreign::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by(|(a, _), (b, _)| canonical_order(a, b));
            for (index, (name, member)) in members.into_iter().enumerate() {
                out.push(if index == 0 { '{' } else { ',' });
                write_string(name, out);
                out.push(':');
                write_foreign(member, out);
            }
            out.push('}');
        }
        literal => out.push_str(&literal.to_string()),
    }
}

/// Returns whether the input has a number like `1E30`, which the parser refuses but the writer
/// supports.
fn has_large_number(input: &[u8]) -> bool {
    let error = Value::parse(input, &READER).err();
    error.is_some_and(|error| error.code == ParseErrorCode::NumberOutOfRange)
}

fn check_pair(name: &str, input: &[u8], output: &str) {
    if has_large_number(input) {
        let mut out = String::new();
        write_foreign(&serde_json::from_slice(input).unwrap(), &mut out);
        assert_eq!(out, output, "{name}");
    } else {
        assert_eq!(canonical(input), output, "{name}");
    }
}

#[test]
fn official_pairs_match() {
    let names = names("jcs/testdata/input");
    assert_eq!(names.len(), 6);
    for name in names {
        let output = text(&format!("jcs/testdata/output/{name}"));
        let hex = text(&format!("jcs/testdata/outhex/{}", name.replace(".json", ".txt")));
        let hex: String = hex.split_whitespace().collect();
        assert_eq!(hex::encode(&output), hex, "{name}");
        check_pair(&name, &bytes(&format!("jcs/testdata/input/{name}")), &output);
    }
}

#[test]
fn rfc_8785_examples_match() {
    for name in ["rfc_example", "rfc_sorting"] {
        let file = |kind| format!("jcs-rfc-examples/tests/resources/{name}.{kind}.json");
        check_pair(name, &bytes(&file("input")), &text(&file("expected")));
    }
}

/// Checks the text of the double, and parses it back if `Number` can represent it.
fn check_number(bits: u64, expected: &str) {
    let double = f64::from_bits(bits);
    let mut out = String::new();
    write_number(double, &mut out);
    assert_eq!(out, expected, "{bits:016x}");
    let read = Value::parse(expected.as_bytes(), &READER).ok();
    assert_eq!(read, Number::new(double).map(Value::from), "{expected}");
}

#[test]
fn rfc_8785_numbers_are_written_exactly() {
    for case in json("derived/rfc8785_appendix_b_numbers.json").list("numbers") {
        let bits = u64::from_str_radix(case.text("ieee754_hex"), 16).unwrap();
        match case.at("expected").as_str() {
            Some(expected) => check_number(bits, expected),
            None => assert_eq!(Number::new(f64::from_bits(bits)), None),
        }
    }
}

#[test]
fn twelve_thousand_numbers_are_written_exactly() {
    let mut count = 0;
    for file in ["derived/es6numbers_10k.txt", "jcs-lattice/golden_vectors_first2000.csv"] {
        for line in text(file).lines() {
            let (bits, expected) = line.split_once(',').unwrap();
            check_number(u64::from_str_radix(bits, 16).unwrap(), expected);
            count += 1;
        }
    }
    assert_eq!(count, 12_000);
}

fn lattice(file: &str) -> Vec<Value> {
    let lines = text(&format!("jcs-lattice/conformance/vectors/{file}.jsonl"));
    let parse_case = |line: &str| Value::parse(line.as_bytes(), &READER).unwrap();
    lines.lines().filter(|line| !line.is_empty()).map(parse_case).collect()
}

#[test]
fn lattice_accepted_cases_match() {
    for case in lattice("core") {
        check_pair(case.text("id"), case.text("input").as_bytes(), case.text("want_stdout"));
    }
}

#[test]
fn lattice_rejected_cases_are_refused() {
    // The lattice profile refuses −0; RFC 8785 writes it as 0.
    let minus_zero = ["VEC-REJ-0001", "VEC-REJ-0002", "VEC-REJ-0003"];
    // This case tests the command line of lattice.
    let command_line = ["VEC-REJ-0022"];
    for case in lattice("reject") {
        let id = case.text("id");
        if minus_zero.contains(&id) || command_line.contains(&id) {
            continue;
        }
        let expected = match case.text("want_stderr_contains") {
            "INVALID_GRAMMAR" | "LONE_SURROGATE" => ParseErrorCode::JsonSyntax,
            "NONCHARACTER" => ParseErrorCode::StringNoncharacter,
            "DUPLICATE_KEY" => ParseErrorCode::DuplicateKey,
            "NUMBER_OVERFLOW" | "NUMBER_UNDERFLOW" => ParseErrorCode::NumberOutOfRange,
            other => panic!("{other}"),
        };
        let error = Value::parse(case.text("input").as_bytes(), &READER).unwrap_err();
        assert_eq!(error.code, expected, "{id}");
    }
}

#[test]
fn lattice_error_offsets_match() {
    for case in lattice("offsets") {
        let error = Value::parse(case.text("input").as_bytes(), &READER).unwrap_err();
        let position = format!("at byte {}", error.offset);
        assert_eq!(position, case.text("want_stderr_contains"), "{}", case.text("id"));
    }
}

#[test]
fn lattice_canonical_inputs_are_recognised() {
    for case in lattice("verify") {
        let input = case.text("input");
        let is_canonical = canonical(input.as_bytes()) == input;
        assert_eq!(is_canonical, case.at("want_exit") == &Value::from(0), "{}", case.text("id"));
    }
}
