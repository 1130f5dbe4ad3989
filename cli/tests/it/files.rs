//! Formats of files: the same value has the same text, and every text is read back as its value.

use std::fmt::Write as _;

use cli::{document::Format, policy::file::PolicyFile};
use contract::json::{Limits, Number, Object, Value};
use insta::assert_snapshot;

use crate::POLICY;

fn example() -> Value {
    let text = include_str!("../../../examples/policies/payments.json");
    Value::parse(text.as_bytes(), &Limits::REQUEST).expect("the example is JSON")
}

#[test]
fn both_formats_have_a_fixed_order_and_the_same_value() {
    let value = example();
    for format in [Format::Yaml, Format::Json] {
        let text = format.render(&value);
        assert_eq!(format.parse(&text).as_ref(), Ok(&value), "{text}");
        assert_eq!(format.render(&format.parse(&text).expect("valid")), text);
        let members = ["code", "name", "description", "decision_types", "regulatory_refs", "rules"];
        let positions = members.map(|name| text.find(name).expect("a member"));
        assert!(positions.is_sorted(), "{text}");
    }
    assert_snapshot!(Format::Yaml.render(&value).lines().take(20).collect::<Vec<_>>().join("\n"), @r#"
    code: EXAMPLE-PAYMENTS
    name: Outgoing payments
    description: Checks a payment before the treasury system releases it.
    decision_types: [payment]
    regulatory_refs: [Treasury policy 4.2]
    change_reason: First version.
    rules:
      - code: PAY-COMPLETE
        name: The payment is complete
        description: "Amount, currency, payee and a reference of at least six characters are required."
        rule_type: presence
        severity: high
        condition:
          min_length:
            reference: 6
          required_fields: [amount, currency, payee.id, payee.iban, reference, requested_by]

      - code: PAY-LIMIT
        name: "At most 50,000 per payment"
        rule_type: threshold
    "#);
}

#[test]
fn all_strings_and_numbers_are_read_back() {
    let strings = [
        "", " ", "true", "Yes", "null", "~", "12", "1e3", "0x1f", ".5", "-", "- a", "a: b", "a #b",
        "#", "&a", "*a", "!a", "%a", "@a", "`a`", "'a'", "\"a\"", "[a]", "{a}", "a,b", "a\nb",
        "a\n", "a\n\n", "\na", " a\nb", "a\n  b\n", "a \nb", "a\r\nb", "a\tb", "\u{85}",
        "\u{2028}", "\u{feff}", "é😀", "a b ", "?", "---", "...", "=", "<<", "a\\b", "\u{7f}",
        "a\u{a0}b",
    ];
    let strings = strings.into_iter().chain(["2026-09-01", "x\n# y\nz"]);
    let numbers = [0.0, -0.0, 1.5, -7.0, 1e-7, 9_007_199_254_740_991.0, 1e15, 0.1];
    let numbers = numbers.map(|number| Value::Number(Number::new(number).expect("in range")));
    let all: Vec<Value> = strings.clone().map(Value::from).chain(numbers).collect();
    let members: Object = strings.map(|text| (text.to_owned(), Value::from(text))).collect();
    let nested = Value::from(Object::from([
        ("each", all.iter().map(|value| Value::Array(vec![value.clone()])).collect()),
        ("empty", Value::Array(vec![Value::from(Object::new()), Value::Array(Vec::new())])),
        ("list", Value::Array(all)),
        ("members", members.into()),
    ]));
    for format in [Format::Yaml, Format::Json] {
        let text = format.render(&nested);
        assert_eq!(format.parse(&text).as_ref(), Ok(&nested), "{text}");
    }
}

#[test]
fn ambiguous_files_are_refused_with_a_position() {
    let refused = [
        "code: A\ncode: B\n",
        "a: 9007199254740993\n",
        "1: a\n",
        "a: !x 1\n",
        "a: 1\n---\nb: 1\n",
        "a: [1\n",
        "account: 0012\n",
        "a: {b: 0x1f}\n",
        "<<: {a: 1}\n",
        "# only a comment\n",
        "a: .nan\n",
        "a: \"\\0\"\n",
        "inheritable: no\n",
        "flags: [Yes]\n",
        "phone: +49301234567\n",
        "limit: 1_000\n",
        "mask: -0b101\n",
        "a: !!str 1\n",
        "a: !!int \"0012\"\n",
        "a: !!map {b: 1}\n",
        "a: !!seq [1]\n",
    ];
    let errors: Vec<String> = refused
        .iter()
        .map(|text| Format::Yaml.parse(text).expect_err("the text is refused"))
        .collect();
    assert!(errors[0].starts_with("line 2, column 1: "), "{errors:?}");
    assert_eq!(errors[1], "line 1, column 4: a number does not fit a double within ±(2^53 − 1)");
    assert_eq!(errors[2], "line 1, column 1: a member name must be a string");
    assert_eq!(errors[4], "must contain one YAML document, not 2");
    assert_eq!(
        errors[6],
        "line 1, column 10: `0012` is not a decimal number; write it in quotes if it is a text"
    );
    assert_eq!(errors[11], "a string contains U+0000");
    assert_eq!(
        errors[12],
        "line 1, column 14: `no` is a text in YAML 1.2 and a boolean in YAML 1.1; write `true` or `false`, or write it \
         in quotes"
    );
    assert_eq!(
        errors[14],
        "line 1, column 8: `+49301234567` would lose its sign as a number; write it in quotes if it is a text"
    );
    assert!(
        errors[17..].iter().all(|error| error.ends_with("tags are not supported")),
        "{errors:?}"
    );
    for text in ["", " \n", "\u{feff}"] {
        for format in [Format::Yaml, Format::Json] {
            assert_eq!(format.parse(text), Err("is empty".to_owned()), "{text:?}");
        }
    }
    let json = Format::Json.parse("{\n \"a\": 1,\n \"a\": 2}").expect_err("duplicate");
    assert_eq!(json, "line 3: a member name occurs more than once");
}

#[test]
fn files_of_other_systems_are_read() {
    let value = Format::Json.parse("{\"a\": [1, \"b\"]}");
    for text in ["\u{feff}a:\r\n  - 1\r\n  - b\r\n", "a: [1, b]", "\u{feff}{\"a\":\r\n[1,\"b\"]}"] {
        assert_eq!(Format::Yaml.parse(text), value, "{text:?}");
    }
    assert_eq!(Format::Json.parse("\u{feff}{\"a\":\r\n[1,\"b\"]}\r\n"), value);
    let plain = Format::Yaml.parse("a: 0\nb: -0.5\nc: 0e1\nd: 0x\ne: 0-1\nf: 00:30\n");
    assert!(plain.is_ok(), "{plain:?}");
    let words = Format::Yaml.parse("on: [on-call, \"no\", 'off', +, _1]\nno: {yes: a_1}\n");
    assert!(words.is_ok(), "{words:?}");
}

#[test]
fn nested_and_repeated_values_are_limited() {
    let deep = [
        "[".repeat(100_000),
        "- ".repeat(100_000),
        "{a: ".repeat(100_000),
        format!("{}{}", "[".repeat(65), "]".repeat(65)),
    ];
    for text in deep {
        assert!(Format::Yaml.parse(&text).is_err());
        assert!(Format::Json.parse(&text).is_err());
    }
    let nested = |name: char, inner: &str| {
        format!("{name}: &{name} {}{inner}{}\n", "[".repeat(30), "]".repeat(30))
    };
    let aliases = nested('a', "1") + &nested('b', "*a") + &nested('c', "*b");
    let error = Format::Yaml.parse(&aliases).expect_err("the aliases are nested too deeply");
    assert!(error.ends_with("arrays and objects are nested too deeply"), "{error}");
    let mut laughs = "a: &a [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for (name, inner) in ('b'..='j').zip('a'..) {
        let elements = vec![format!("*{inner}"); 10].join(", ");
        writeln!(laughs, "{name}: &{name} [{elements}]").expect("a string can be written");
    }
    assert!(Format::Yaml.parse(&laughs).is_err());
}

#[test]
fn every_error_of_a_policy_names_its_line() {
    let text =
        POLICY.replace("severity: high", "severty: high").replace("PAY-PURPOSE", "PAY-LIMIT");
    let path = std::path::Path::new("pay.policy.yaml");
    let errors = PolicyFile::parse(path, Format::Yaml, &text).expect_err("the policy is not valid");
    assert_eq!(errors.exit_code(), 2);
    let errors = errors.to_string();
    assert!(errors.contains("pay.policy.yaml:9: /rules/0/severty "), "{errors}");
    assert!(
        errors.contains("pay.policy.yaml:14: /rules/1/code `PAY-LIMIT` is already"),
        "{errors}"
    );
    assert!(PolicyFile::parse(path, Format::Yaml, POLICY).is_ok());
}
