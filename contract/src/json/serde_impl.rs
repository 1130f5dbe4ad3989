//! `serde` implementations of the JSON tree.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error, MapAccess, SeqAccess, Unexpected, Visitor},
};

use super::{Number, Object, Value};

impl Serialize for Number {
    /// Writes integers without a fraction, so that 5.0 is printed as `5`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.as_i64() {
            Some(integer) => serializer.serialize_i64(integer),
            None => serializer.serialize_f64(self.get()),
        }
    }
}

impl Serialize for Object {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self)
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(boolean) => serializer.serialize_bool(*boolean),
            Self::Number(number) => number.serialize(serializer),
            Self::String(text) => serializer.serialize_str(text),
            Self::Array(elements) => serializer.collect_seq(elements),
            Self::Object(members) => members.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    /// Rejects values that the tree cannot represent: duplicate names and numbers outside ±(2^53 − 1).
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match deserializer.deserialize_map(ValueVisitor)? {
            Value::Object(members) => Ok(members),
            _ => Err(D::Error::custom("expected an object")),
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match deserializer.deserialize_f64(ValueVisitor)? {
            Value::Number(number) => Ok(number),
            _ => Err(D::Error::custom("expected a number")),
        }
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value with numbers within ±(2^53 − 1) and unique names")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Value, D::Error> {
        inner.deserialize_any(self)
    }

    fn visit_bool<E: Error>(self, boolean: bool) -> Result<Value, E> {
        Ok(Value::Bool(boolean))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Value, E> {
        let value = Number::try_from(number).map(Value::Number);
        value.map_err(|_| E::invalid_value(Unexpected::Signed(number), &self))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Value, E> {
        let value = Number::try_from(number).map(Value::Number);
        value.map_err(|_| E::invalid_value(Unexpected::Unsigned(number), &self))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Value, E> {
        let value = Number::new(number).map(Value::Number);
        value.ok_or_else(|| E::invalid_value(Unexpected::Float(number), &self))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(Value::from(text))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Value, E> {
        Ok(Value::String(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Value, A::Error> {
        let mut elements = Vec::new();
        while let Some(element) = sequence.next_element::<Value>()? {
            elements.push(element);
        }
        Ok(Value::Array(elements))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry::<String, Value>()? {
            members.push(member);
        }
        let object = Object::from_members(members);
        object
            .map(Value::Object)
            .ok_or_else(|| A::Error::custom("a member name occurs more than once"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_printed_without_a_fraction() {
        let read = serde_json::from_str::<Value>(r#"{"b":[5.0,-0.0,0.25,null],"a":"é"}"#);
        let written = read.and_then(|value| serde_json::to_string(&value));
        assert_eq!(written.ok().as_deref(), Some(r#"{"a":"é","b":[5,0,0.25,null]}"#));
    }

    #[test]
    fn duplicate_names_and_out_of_range_numbers_are_rejected() {
        for text in [r#"{"a":1,"a":1}"#, "9007199254740992", "-9007199254740993", "1e300"] {
            assert!(serde_json::from_str::<Value>(text).is_err(), "{text}");
        }
        assert!(serde_json::from_str::<Object>("[]").is_err());
        assert!(serde_json::from_str::<Number>("null").is_err());
    }
}
