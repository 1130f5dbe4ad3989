//! The part of a group that is one tenant's.

use std::collections::HashMap;

use contract::id::TenantId;

use super::{Entry, Record, Reply, Stored};
use crate::{
    audit::Linked,
    error::{Error, Result},
    tenancy::Head,
};

/// One tenant's records within a group, and the head that they are linked to.
#[derive(Debug)]
pub(super) struct Share {
    pub(super) tenant: TenantId,
    /// The head as this process remembers it.
    pub(super) head: Head,
    members: Vec<Member>,
}

/// A record, and the later ones under the same key: they are answered as repeats of the first.
#[derive(Debug)]
struct Member {
    first: Entry,
    repeats: Vec<Entry>,
}

impl Share {
    /// The share of `entries`. Those that were decided before the newest activation that any of them
    /// has seen are told so at once.
    pub(super) fn new(tenant: TenantId, entries: Vec<Entry>, remembered: Option<Head>) -> Self {
        let newest = entries.iter().map(|entry| entry.record.activations).max().unwrap_or_default();
        let mut members: Vec<Member> = Vec::with_capacity(entries.len());
        let mut by_key: HashMap<String, usize> = HashMap::with_capacity(entries.len());
        for entry in entries {
            if entry.record.activations < newest {
                entry.tell(Ok(Reply::Outdated { activations: newest }));
            } else if let Some(place) = by_key.get(&entry.record.idempotency_key) {
                members[*place].repeats.push(entry);
            } else {
                by_key.insert(entry.record.idempotency_key.clone(), members.len());
                members.push(Member { first: entry, repeats: Vec::new() });
            }
        }
        let unknown = Head { seq: 0, hash: String::new(), activations: newest };
        let head = Head { activations: newest, ..remembered.unwrap_or(unknown) };
        Self { tenant, head, members }
    }

    /// Whether everybody has been answered.
    pub(super) fn is_over(&self) -> bool {
        self.members.is_empty()
    }

    /// How many records are open.
    pub(super) fn len(&self) -> usize {
        self.members.len()
    }

    /// The open records with their events in their places, and the head after them.
    pub(super) fn link(&self) -> Result<(Vec<(&Record, Linked)>, Head)> {
        let mut head = self.head.clone();
        let records = self.members.iter().map(|member| &member.first.record);
        let linked = records
            .map(|record| Ok((record, record.event.link(&mut head)?)))
            .collect::<Result<_>>()?;
        Ok((linked, head))
    }

    /// All open records are stored, and the head is at `head`.
    pub(super) fn recorded(&mut self, head: Head) {
        self.head = head;
        for Member { mut first, repeats } in self.members.drain(..) {
            let record = &mut first.record;
            let text = std::mem::take(&mut record.text);
            for repeat in repeats {
                repeat.tell(Ok(Reply::Known(Stored {
                    id: record.id,
                    request_digest: record.request_digest.clone(),
                    record: text.clone(),
                })));
            }
            first.tell(Ok(Reply::Recorded(text)));
        }
    }

    /// Nothing was written: the head is `head`, and these keys were used before.
    pub(super) fn learned(&mut self, head: Head, mut known: HashMap<String, Stored>) {
        let mut open = Vec::new();
        for member in self.members.drain(..) {
            match known.remove(&member.first.record.idempotency_key) {
                Some(stored) => member.entries().for_each(|entry| {
                    entry.tell(Ok(Reply::Known(stored.clone())));
                }),
                None if head.activations == self.head.activations => open.push(member),
                None => member.entries().for_each(|entry| {
                    entry.tell(Ok(Reply::Outdated { activations: head.activations }));
                }),
            }
        }
        self.members = open;
        self.head = head;
    }

    /// Nobody knows what became of the open records, or the database has refused them.
    pub(super) fn failed(self, error: &Error) {
        self.into_entries().for_each(|entry| entry.tell(Err(error.again())));
    }

    /// The open records in line.
    pub(super) fn into_entries(self) -> impl Iterator<Item = Entry> {
        self.members.into_iter().flat_map(Member::entries)
    }
}

impl Member {
    fn entries(self) -> impl Iterator<Item = Entry> {
        std::iter::once(self.first).chain(self.repeats)
    }
}
