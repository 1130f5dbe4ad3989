//! Where two values differ.

use std::collections::BTreeSet;

use contract::{
    json::{Object, Value},
    replay::Difference,
};

/// Every place where `original` and `replay` differ, in the order of members and elements. What is
/// missing on one side is named once, not with all that it holds.
pub(super) fn differences(original: &Value, replay: &Value) -> Vec<Difference> {
    let mut found = Vec::new();
    compare(String::new(), Some(original), Some(replay), &mut found);
    found
}

fn compare(
    path: String,
    original: Option<&Value>,
    replay: Option<&Value>,
    found: &mut Vec<Difference>,
) {
    match (original, replay) {
        (Some(Value::Object(left)), Some(Value::Object(right))) => {
            for name in names(left, right) {
                let path = format!("{path}/{}", name.replace('~', "~0").replace('/', "~1"));
                compare(path, left.get(name), right.get(name), found);
            }
        }
        (Some(Value::Array(left)), Some(Value::Array(right))) => {
            for index in 0..left.len().max(right.len()) {
                compare(format!("{path}/{index}"), left.get(index), right.get(index), found);
            }
        }
        (left, right) if left == right => {}
        (left, right) => {
            found.push(Difference { path, original: left.cloned(), replay: right.cloned() });
        }
    }
}

fn names<'v>(left: &'v Object, right: &'v Object) -> BTreeSet<&'v str> {
    left.iter().chain(right.iter()).map(|(name, _)| name).collect()
}

#[cfg(test)]
mod tests {
    use contract::json::Limits;

    use super::*;

    fn found(original: &str, replay: &str) -> Vec<String> {
        let value = |text: &str| Value::parse(text.as_bytes(), &Limits::REQUEST).unwrap();
        let text = |side: Option<Value>| side.map_or("nothing".to_owned(), |v| v.to_canonical());
        differences(&value(original), &value(replay))
            .into_iter()
            .map(|found| format!("{} {} {}", found.path, text(found.original), text(found.replay)))
            .collect()
    }

    #[test]
    fn equal_values_do_not_differ() {
        assert_eq!(found(r#"{"a":[1,{"b":null}]}"#, r#"{"a":[1,{"b":null}]}"#), [""; 0]);
    }

    #[test]
    fn a_difference_is_named_where_it_is() {
        assert_eq!(
            found(r#"{"a":[1,2],"b~/":{"c":1},"d":[]}"#, r#"{"a":[1,3,4],"b~/":{},"d":{}}"#),
            ["/a/1 2 3", "/a/2 nothing 4", "/b~0~1/c 1 nothing", "/d [] {}"]
        );
    }

    #[test]
    fn null_is_not_absent() {
        assert_eq!(found(r#"{"a":null}"#, "{}"), ["/a null nothing"]);
    }
}
