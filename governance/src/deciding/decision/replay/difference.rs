//! Differences between two JSON values.

use contract::replay::Difference;

use crate::base::prelude::*;

/// Returns the differences between `original` and `replay`, in the order of members and elements. A value
/// that is missing on one side is reported once, without its children.
pub(super) fn differences(original: &Value, replay: &Value) -> Vec<Difference> {
    let mut differences = Vec::new();
    compare(String::new(), Some(original), Some(replay), &mut differences);
    differences
}

fn compare(
    path: String,
    original: Option<&Value>,
    replay: Option<&Value>,
    differences: &mut Vec<Difference>,
) {
    match (original, replay) {
        (Some(Value::Object(left)), Some(Value::Object(right))) => {
            for name in names(left, right) {
                let path = format!("{path}/{}", name.replace('~', "~0").replace('/', "~1"));
                compare(path, left.get(name), right.get(name), differences);
            }
        }
        (Some(Value::Array(left)), Some(Value::Array(right))) => {
            for index in 0..left.len().max(right.len()) {
                compare(format!("{path}/{index}"), left.get(index), right.get(index), differences);
            }
        }
        (left, right) if left == right => {}
        (left, right) => {
            differences.push(Difference { path, original: left.cloned(), replay: right.cloned() });
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

    fn describe(original: &str, replay: &str) -> Vec<String> {
        let value = |text: &str| Value::parse(text.as_bytes(), &Limits::REQUEST).unwrap();
        let text = |side: Option<Value>| side.map_or("nothing".to_owned(), |v| v.to_canonical());
        differences(&value(original), &value(replay))
            .into_iter()
            .map(|difference| {
                format!(
                    "{} {} {}",
                    difference.path,
                    text(difference.original),
                    text(difference.replay)
                )
            })
            .collect()
    }

    #[test]
    fn equal_values_do_not_differ() {
        assert_eq!(describe(r#"{"a":[1,{"b":null}]}"#, r#"{"a":[1,{"b":null}]}"#), [""; 0]);
    }

    #[test]
    fn difference_is_reported_at_its_path() {
        assert_eq!(
            describe(r#"{"a":[1,2],"b~/":{"c":1},"d":[]}"#, r#"{"a":[1,3,4],"b~/":{},"d":{}}"#),
            ["/a/1 2 3", "/a/2 nothing 4", "/b~0~1/c 1 nothing", "/d [] {}"]
        );
    }

    #[test]
    fn null_is_not_absent() {
        assert_eq!(describe(r#"{"a":null}"#, "{}"), ["/a null nothing"]);
    }
}
