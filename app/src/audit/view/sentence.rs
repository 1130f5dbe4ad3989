//! Audit events as sentences, for example "Ines Roy ratified Vendor payments v18".

mod draft;
mod predicate;
#[cfg(test)]
mod tests;

use contract::{audit::AuditItem, json::Value};
use serde::{Deserialize, Serialize};

use self::draft::Draft;
use crate::{member::names::Names, text::number::whole};

/// A part of a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Part {
    Words(String),
    /// A stored name or an ID.
    Name(String),
}

/// Returns the sentence of an event. `actor` is the name of its actor.
pub(super) fn sentence(item: &AuditItem, actor: Part, names: &Names) -> Vec<Part> {
    let event = EventParts { item, names };
    if item.action == "session.fail" {
        return event.words("A sign-in as ").person().words(" failed").parts();
    }
    let predicate = event.predicate().unwrap_or_else(|| {
        let object = event.words(" on ").words(&item.object.kind.replace('_', " ")).words(" ");
        event.words("recorded ").name(item.action.clone()).then(object).short_id()
    });
    [vec![actor, Part::Words(" ".to_owned())], predicate.parts()].concat()
}

/// An event and the names of its tenant.
#[derive(Clone, Copy)]
struct EventParts<'e> {
    item: &'e AuditItem,
    names: &'e Names,
}

impl<'e> EventParts<'e> {
    fn words(self, words: &str) -> Draft<'e> {
        Draft::new(self).words(words)
    }

    fn text(self, name: &str) -> Option<&'e str> {
        self.item.details.get(name)?.as_str()
    }

    fn number(self, name: &str) -> Option<String> {
        Some(self.item.details.get(name)?.to_canonical())
    }
}

/// Formats one fact of an event: its value, or the values before and after a change.
pub(super) fn fact(value: &Value) -> String {
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Number(number) if number.get().fract() == 0.0 => {
            value.to_canonical().parse().map_or_else(|_| value.to_canonical(), whole)
        }
        other => other.to_canonical(),
    };
    match (value.get("before"), value.get("after")) {
        (Some(before), Some(after)) => format!("from {} to {}", text(before), text(after)),
        _ => text(value),
    }
}
