//! A sentence that is being written.

use super::{EventParts, Part};

/// The parts of a sentence so far.
pub(super) struct Draft<'e>(Vec<Part>, EventParts<'e>);

impl<'e> Draft<'e> {
    pub(super) fn new(event: EventParts<'e>) -> Self {
        Self(Vec::new(), event)
    }

    pub(super) fn parts(self) -> Vec<Part> {
        self.0
    }

    pub(super) fn words(mut self, words: &str) -> Self {
        if !words.is_empty() {
            self.0.push(Part::Words(words.to_owned()));
        }
        self
    }

    pub(super) fn name(mut self, name: String) -> Self {
        self.0.push(Part::Name(name));
        self
    }

    pub(super) fn then(mut self, rest: Self) -> Self {
        self.0.extend(rest.0);
        self
    }

    /// Appends the name for an ID, or the beginning of the ID.
    pub(super) fn named(self, id: &str) -> Self {
        let name = self.1.names.get(id).cloned().unwrap_or_else(|| shortened(id));
        self.name(name)
    }

    /// Appends the name of the object.
    pub(super) fn object(self) -> Self {
        let id = &self.1.item.object.id;
        self.named(id)
    }

    /// Appends the user that the event is about. The personal data of the event may have the address.
    pub(super) fn person(self) -> Self {
        let item = self.1.item;
        let is_about_user = item.actor.kind != "human" || item.actor.id == item.object.id;
        let email = item.actor_email.clone().filter(|_| is_about_user);
        match (self.1.names.get(&item.object.id).cloned(), email) {
            (Some(name), _) | (None, Some(name)) => self.name(name),
            (None, None) => self.object(),
        }
    }

    pub(super) fn of_detail(self, name: &str) -> Self {
        let id = self.1.text(name).unwrap_or_default();
        self.named(id)
    }

    /// Appends the policy and the version that the details name.
    pub(super) fn version(self) -> Self {
        let event = self.1;
        let policy = event.text("policy_id").unwrap_or_default();
        let policy = event.names.get(policy).cloned().unwrap_or_else(|| shortened(policy));
        let version = event.number("version").unwrap_or_default();
        self.name(format!("{policy} v{version}"))
    }

    pub(super) fn short_id(self) -> Self {
        let id = shortened(&self.1.item.object.id);
        self.name(id)
    }
}

/// Returns the first eight characters of an ID.
fn shortened(id: &str) -> String {
    id.chars().take(8).collect()
}
