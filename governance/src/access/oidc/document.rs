//! JSON objects of identity providers.

use std::fmt;

use contract::text::is_storable;
use serde::{
    Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::{Map, Value, from_str, value::RawValue};

use crate::base::prelude::*;

/// The maximum number of arrays and objects around a value. What is deeper is unusable.
const DEPTH_MAX: usize = 16;

/// What is read for a value that cannot be represented, and for one whose name occurs twice. It is not absent, it has the
/// wrong type for each use except a condition, and no condition holds with it.
const UNUSABLE: Value = Value::Bool(false);

/// A JSON object that a provider has sent.
///
/// Only what is used must be readable. Other members may have any size and shape: numbers that no type can hold, escapes
/// that are no character, names that occur twice, any depth. A member that is `null` is absent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Document(pub(super) Map<String, Value>);

impl Document {
    /// Parses an object. Providers on some systems send a byte order mark before it.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, serde_json::Error> {
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        let mut members = serde_json::from_slice::<Members<'_>>(bytes)?.into_values(1);
        members.retain(|_, value| !value.is_null());
        Ok(Self(members))
    }

    pub(super) fn value(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// Returns a text. One that cannot be stored and signed is none.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.value(name)?.as_str().filter(|text| is_storable(text))
    }
}

/// The members of an object, whose values are not read yet. A value whose name occurs twice is absent, because readers
/// differ in which of the two counts.
struct Members<'a>(BTreeMap<String, Option<&'a RawValue>>);

impl Members<'_> {
    fn into_values(self, depth: usize) -> Map<String, Value> {
        let read = |raw: Option<&RawValue>| raw.map_or(UNUSABLE, |raw| value(raw, depth));
        self.0.into_iter().map(|(name, raw)| (name, read(raw))).collect()
    }
}

/// Reads a value inside of `depth` arrays and objects.
fn value(raw: &RawValue, depth: usize) -> Value {
    let text = raw.get();
    let value = match text.as_bytes().first() {
        Some(b'{' | b'[') if depth >= DEPTH_MAX => None,
        Some(b'{') => {
            let members = from_str::<Members<'_>>(text).ok();
            members.map(|members| Value::Object(members.into_values(depth + 1)))
        }
        Some(b'[') => {
            let elements = from_str::<Vec<&RawValue>>(text).ok();
            elements.map(|all| all.into_iter().map(|raw| value(raw, depth + 1)).collect())
        }
        _ => from_str(text).ok(),
    };
    value.unwrap_or(UNUSABLE)
}

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MembersVisitor)
    }
}

struct MembersVisitor;

impl<'de> Visitor<'de> for MembersVisitor {
    type Value = Members<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Members<'de>, A::Error> {
        let mut members = BTreeMap::new();
        while let Some((Name(name), value)) = entries.next_entry::<Name, &RawValue>()? {
            // A name that is no text is not one that is used.
            if let Some(name) = name {
                members.entry(name).and_modify(|value| *value = None).or_insert(Some(value));
            }
        }
        Ok(Members(members))
    }
}

/// The name of a member; `None` if it contains an escape that is no character.
struct Name(Option<String>);

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_bytes(NameVisitor)
    }
}

struct NameVisitor;

impl Visitor<'_> for NameVisitor {
    type Value = Name;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<Name, E> {
        Ok(Name(String::from_utf8(bytes.to_vec()).ok()))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn parse(text: &str) -> Document {
        Document::parse(text.as_bytes()).unwrap()
    }

    #[test]
    fn unused_members_have_any_size_and_shape() {
        let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
        let digits = "9".repeat(10_000);
        for odd in [
            r#""a": 1e400"#,
            r#""a": -1E+99999"#,
            r#""a": "\ud800""#,
            r#""a": "\udc00\ud800x""#,
            r#""a": [1e400, {"b": "\ud800", "b": 1, "\ud800": 2}]"#,
            r#""\ud800": 1, "\ud800": 2"#,
            r#""a": 1, "a": "\ud800""#,
            r#""a": "b\u0000""#,
            r#""a": "b\ufdd0""#,
            r#""": {}"#,
            &format!("\"a\": {digits}, \"c\": -{digits}.{digits}"),
            &format!("\"a\": {deep}"),
        ] {
            let document = parse(&format!("{{{odd}, \"sub\": \"ada\"}}"));
            assert_eq!(document.text("sub"), Some("ada"), "{odd}");
            assert_eq!(document.text("a"), None, "{odd}");
        }
        let document = parse("\u{feff}{\"big\": 123456789012345678901234567890, \"null\": null}");
        assert!(document.value("big").is_some_and(Value::is_number));
        assert_eq!(document.value("null"), None);
    }

    #[test]
    fn unreadable_values_are_present_and_have_no_usable_type() {
        let document = parse(
            r#"{"twice": "a", "\u0074wice": null, "big": 1e400, "odd": "\ud800",
            "list": ["a", "\ud800", 1e400, {"a": 1, "a": 2, "b": 3}]}"#,
        );
        for name in ["twice", "big", "odd"] {
            assert_eq!(document.value(name), Some(&UNUSABLE), "{name}");
        }
        let list = json!(["a", false, false, {"a": false, "b": 3}]);
        assert_eq!(document.value("list"), Some(&list));
    }

    #[test]
    fn text_that_is_no_object_is_refused() {
        for refused in
            ["[]", "\"text\"", "{\"a\": 1} {}", "", "{\"a\": 01}", "{\"a\": [}", "{a: 1}"]
        {
            assert!(Document::parse(refused.as_bytes()).is_err(), "{refused}");
        }
        assert!(Document::parse(b"{\"a\": \"\xff\"}").is_err());
    }
}
