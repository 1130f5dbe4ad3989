//! The decision context and its evidence (receipts, sections 3.1 and 3.4).

use contract::json::{Number, Object, Value};

use crate::{
    canonical_json::{CanonicalJson, JsonPart, ObjectBuilder},
    digest::Digest,
};

/// Metadata about the transport, which is not part of the decision.
const TRANSPORT_METADATA: [&str; 3] = ["correlation_id", "ip_address", "user_agent"];

/// Returns the preimage of `context_digest`: the received context without transport metadata, in
/// which digests replace the data of evidence items.
pub fn context(context: &Value) -> CanonicalJson {
    let reduced = match context {
        Value::Object(members) => members.iter().map(member).collect::<ObjectBuilder<'_>>().into(),
        other => JsonPart::from(other),
    };
    ObjectBuilder::with_schema("service-decision-context/v1").member("context", reduced).canonical()
}

fn member<'a>((name, value): (&'a str, &'a Value)) -> (&'a str, JsonPart<'a>) {
    let part = match (name, value) {
        ("metadata", Value::Object(members)) => metadata(members),
        ("evidence", Value::Array(items)) => items.iter().map(evidence).collect::<Vec<_>>().into(),
        _ => value.into(),
    };
    (name, part)
}

fn metadata(members: &Object) -> JsonPart<'_> {
    let retained = members.iter().filter(|(name, _)| !TRANSPORT_METADATA.contains(name));
    retained.map(|(name, value)| (name, value.into())).collect::<ObjectBuilder<'_>>().into()
}

fn evidence(item: &Value) -> JsonPart<'_> {
    match (item, item.get("data")) {
        (Value::Object(members), Some(data)) => {
            let retained =
                members.iter().filter(|(name, _)| !matches!(*name, "data" | "data_digest"));
            let retained: ObjectBuilder<'_> =
                retained.map(|(name, value)| (name, value.into())).collect();
            retained.member("data_digest", data_digest(data)).into()
        }
        _ => item.into(),
    }
}

/// Returns the digest of the data of an evidence item: of the value itself, without a schema.
pub fn data_digest(data: &Value) -> Digest {
    CanonicalJson::from_value(data).digest
}

/// Returns the evidence manifest, or `None` if the context has neither evidence items nor a source
/// artifact.
pub fn evidence_manifest(context: &Value) -> Option<CanonicalJson> {
    let items = context.get("evidence").and_then(Value::as_array).unwrap_or_default();
    let source_artifact = context.get("source_artifact");
    if items.is_empty() && source_artifact.is_none() {
        return None;
    }
    let items: Vec<_> = (0..).zip(items).map(manifest_item).collect();
    let manifest = ObjectBuilder::with_schema("service-evidence-manifest/v1")
        .member("items", items)
        .optional("source_artifact", source_artifact);
    Some(manifest.canonical())
}

fn manifest_item((index, item): (u32, &Value)) -> JsonPart<'_> {
    let data_digest = match item.get("data") {
        Some(data) => Some(JsonPart::from(data_digest(data))),
        None => item.get("data_digest").map(JsonPart::from),
    };
    ObjectBuilder::default()
        .member("index", Number::from(index))
        .optional("kind", item.get("kind"))
        .optional("ref", item.get("ref"))
        .optional("hash", item.get("hash"))
        .optional("data_digest", data_digest)
        .into()
}

#[cfg(test)]
mod tests {
    use contract::json::Limits;

    use super::*;

    fn value(text: &str) -> Value {
        Value::parse(text.as_bytes(), &Limits::REQUEST).unwrap()
    }

    #[test]
    fn only_transport_metadata_and_evidence_data_are_replaced() {
        let received = value(
            r#"{"x":null,"metadata":{"user_agent":"u","ip_address":"i","correlation_id":"c"},
                "evidence":[{"data":null,"kind":"k"},7,{"ref":"r"}],"ip_address":"stays"}"#,
        );
        let null = "74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b";
        let expected = format!(
            r#"{{"context":{{"evidence":[{{"data_digest":"{null}","kind":"k"}},7,{{"ref":"r"}}],"ip_address":"stays","metadata":{{}},"x":null}},"schema":"service-decision-context/v1"}}"#
        );
        assert_eq!(context(&received).text, expected);
    }

    #[test]
    fn context_without_evidence_has_no_manifest() {
        assert_eq!(evidence_manifest(&value(r#"{"evidence":[]}"#)), None);
        let manifest = evidence_manifest(&value(r#"{"source_artifact":{"type":"PDF"}}"#)).unwrap();
        let expected = r#"{"items":[],"schema":"service-evidence-manifest/v1","source_artifact":{"type":"PDF"}}"#;
        assert_eq!(manifest.text, expected);
    }
}
