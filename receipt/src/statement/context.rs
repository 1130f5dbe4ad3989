//! The decision context and its evidence (receipts, sections 3.1 and 3.4).

use contract::json::{Number, Object, Value};

use crate::{
    canon::{Canonical, Members, Part},
    digest::Digest,
};

/// Facts of the transport. They are no part of what was decided.
const TRANSPORT: [&str; 3] = ["correlation_id", "ip_address", "user_agent"];

/// The preimage of `context_digest`: the context as received, without facts of the transport, and
/// with the digest of each evidence item's data in place of the data.
pub fn context(context: &Value) -> Canonical {
    let kept = match context {
        Value::Object(members) => members.iter().map(member).collect::<Members<'_>>().into(),
        other => Part::from(other),
    };
    Members::schema("service-decision-context/v1").with("context", kept).canonical()
}

fn member<'a>((name, value): (&'a str, &'a Value)) -> (&'a str, Part<'a>) {
    let part = match (name, value) {
        ("metadata", Value::Object(facts)) => metadata(facts),
        ("evidence", Value::Array(items)) => items.iter().map(evidence).collect::<Vec<_>>().into(),
        _ => value.into(),
    };
    (name, part)
}

fn metadata(facts: &Object) -> Part<'_> {
    let kept = facts.iter().filter(|(name, _)| !TRANSPORT.contains(name));
    kept.map(|(name, value)| (name, value.into())).collect::<Members<'_>>().into()
}

fn evidence(item: &Value) -> Part<'_> {
    match (item, item.get("data")) {
        (Value::Object(members), Some(data)) => {
            let kept = members.iter().filter(|(name, _)| !matches!(*name, "data" | "data_digest"));
            let kept: Members<'_> = kept.map(|(name, value)| (name, value.into())).collect();
            kept.with("data_digest", data_digest(data)).into()
        }
        _ => item.into(),
    }
}

/// The digest of an evidence item's data: of the value itself, without a schema.
pub fn data_digest(data: &Value) -> Digest {
    Canonical::of(data).digest
}

/// The evidence manifest. None exists when the context has neither evidence items nor a source
/// artifact.
pub fn evidence_manifest(context: &Value) -> Option<Canonical> {
    let items = context.get("evidence").and_then(Value::as_array).unwrap_or_default();
    let source_artifact = context.get("source_artifact");
    if items.is_empty() && source_artifact.is_none() {
        return None;
    }
    let items: Vec<_> = (0..).zip(items).map(manifest_item).collect();
    let manifest = Members::schema("service-evidence-manifest/v1")
        .with("items", items)
        .maybe("source_artifact", source_artifact);
    Some(manifest.canonical())
}

fn manifest_item((index, item): (u32, &Value)) -> Part<'_> {
    let data_digest = match item.get("data") {
        Some(data) => Some(Part::from(data_digest(data))),
        None => item.get("data_digest").map(Part::from),
    };
    Members::default()
        .with("index", Number::from(index))
        .maybe("kind", item.get("kind"))
        .maybe("ref", item.get("ref"))
        .maybe("hash", item.get("hash"))
        .maybe("data_digest", data_digest)
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
    fn only_facts_of_the_transport_and_data_are_changed() {
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
    fn no_evidence_means_no_manifest() {
        assert_eq!(evidence_manifest(&value(r#"{"evidence":[]}"#)), None);
        let manifest = evidence_manifest(&value(r#"{"source_artifact":{"type":"PDF"}}"#)).unwrap();
        let expected = r#"{"items":[],"schema":"service-evidence-manifest/v1","source_artifact":{"type":"PDF"}}"#;
        assert_eq!(manifest.text, expected);
    }
}
