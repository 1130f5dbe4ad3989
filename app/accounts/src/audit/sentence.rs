//! Audit events as sentences, for example "Ines Roy ratified Vendor payments v18".

mod predicate;
#[cfg(test)]
mod tests;

use contract::audit::AuditItem;
use page_kit::prelude::*;

/// A part of a sentence.
#[derive(Clone)]
pub(super) enum Part {
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

/// The parts of a sentence so far.
struct Draft<'e>(Vec<Part>, EventParts<'e>);

impl<'e> Draft<'e> {
    fn new(event: EventParts<'e>) -> Self {
        Self(Vec::new(), event)
    }

    fn parts(self) -> Vec<Part> {
        self.0
    }

    fn words(mut self, words: &str) -> Self {
        if !words.is_empty() {
            self.0.push(Part::Words(words.to_owned()));
        }
        self
    }

    fn name(mut self, name: String) -> Self {
        self.0.push(Part::Name(name));
        self
    }

    fn then(mut self, rest: Self) -> Self {
        self.0.extend(rest.0);
        self
    }

    /// Appends the name for an ID, or the beginning of the ID.
    fn named(self, id: &str) -> Self {
        let name = self.1.names.get(id).cloned().unwrap_or_else(|| shortened(id));
        self.name(name)
    }

    /// Appends the name of the object.
    fn object(self) -> Self {
        let id = &self.1.item.object.id;
        self.named(id)
    }

    /// Appends the user that the event is about. The personal data of the event may have the address.
    fn person(self) -> Self {
        let item = self.1.item;
        let is_about_user = item.actor.kind != "human" || item.actor.id == item.object.id;
        let email = item.actor_email.clone().filter(|_| is_about_user);
        match (self.1.names.get(&item.object.id).cloned(), email) {
            (Some(name), _) | (None, Some(name)) => self.name(name),
            (None, None) => self.object(),
        }
    }

    fn of_detail(self, name: &str) -> Self {
        let id = self.1.text(name).unwrap_or_default();
        self.named(id)
    }

    /// Appends the policy and the version that the details name.
    fn version(self) -> Self {
        let event = self.1;
        let policy = event.text("policy_id").unwrap_or_default();
        let policy = event.names.get(policy).cloned().unwrap_or_else(|| shortened(policy));
        let version = event.number("version").unwrap_or_default();
        self.name(format!("{policy} v{version}"))
    }

    fn short_id(self) -> Self {
        let id = shortened(&self.1.item.object.id);
        self.name(id)
    }
}

/// Returns the first eight characters of an ID.
fn shortened(id: &str) -> String {
    id.chars().take(8).collect()
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
