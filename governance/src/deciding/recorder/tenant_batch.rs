//! One tenant's records within a group.

use super::{
    entry::{Entry, StoredRecord, WriteResult},
    record_group::LinkedBatch,
};
use crate::base::{audit_event::Head, prelude::*};

/// The records of one tenant within a group, and the head to which they are linked.
#[derive(Debug)]
pub(super) struct TenantBatch {
    pub(super) tenant: TenantId,
    /// The cached head.
    pub(super) head: Head,
    slots: Vec<RecordSlot>,
}

/// A record, and later records with the same idempotency key, whose callers receive the result of the
/// first.
#[derive(Debug)]
struct RecordSlot {
    first: Entry,
    repeats: Vec<Entry>,
}

impl TenantBatch {
    /// Creates a batch of `entries`. Entries that were evaluated before the newest activation seen by any
    /// of them are answered immediately as outdated.
    pub(super) fn new(tenant: TenantId, entries: Vec<Entry>, cached: Option<Head>) -> Self {
        let newest = entries.iter().map(|entry| entry.record.activations).max().unwrap_or_default();
        let mut slots: Vec<RecordSlot> = Vec::with_capacity(entries.len());
        let mut by_key: HashMap<String, usize> = HashMap::with_capacity(entries.len());
        for entry in entries {
            if entry.record.activations < newest {
                entry.respond(Ok(WriteResult::Outdated { activations: newest }));
            } else if let Some(index) = by_key.get(&entry.record.idempotency_key) {
                slots[*index].repeats.push(entry);
            } else {
                by_key.insert(entry.record.idempotency_key.clone(), slots.len());
                slots.push(RecordSlot { first: entry, repeats: Vec::new() });
            }
        }
        let unknown = Head { seq: 0, hash: None, activations: newest };
        let head = Head { activations: newest, ..cached.unwrap_or(unknown) };
        Self { tenant, head, slots }
    }

    /// Returns whether all callers have received a response.
    pub(super) fn is_complete(&self) -> bool {
        self.slots.is_empty()
    }

    /// Returns the number of unwritten records.
    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    /// Returns the idempotency keys of the unwritten records.
    pub(super) fn keys(&self) -> Vec<String> {
        self.slots.iter().map(|slot| slot.first.record.idempotency_key.clone()).collect()
    }

    /// Links the unwritten records to the head.
    pub(super) fn link(&self) -> Result<LinkedBatch<'_>> {
        let records = self.slots.iter().map(|slot| &slot.first.record);
        LinkedBatch::new(self.tenant, &self.head, records)
    }

    /// Responds that all records were stored, and moves the head to `head`.
    pub(super) fn mark_recorded(&mut self, head: Head) {
        self.head = head;
        for RecordSlot { first: Entry { record, reply, trace }, repeats } in self.slots.drain(..) {
            // The phase ends before its request does.
            drop(trace);
            let stored = StoredRecord::from(record);
            for repeat in repeats {
                repeat.respond(Ok(WriteResult::Stored(stored.clone())));
            }
            drop(reply.send(Ok(WriteResult::Stored(stored))));
        }
    }

    /// Prepares a retry from `head`: responds to records that are `known` under their keys or whose evaluation is
    /// outdated, and keeps the others.
    pub(super) fn retry_from(&mut self, head: Head, mut known: HashMap<String, StoredRecord>) {
        let mut open = Vec::new();
        for slot in self.slots.drain(..) {
            match known.remove(&slot.first.record.idempotency_key) {
                Some(stored) => slot.entries().for_each(|entry| {
                    entry.respond(Ok(WriteResult::Stored(stored.clone())));
                }),
                None if head.activations == self.head.activations => open.push(slot),
                None => slot.entries().for_each(|entry| {
                    entry.respond(Ok(WriteResult::Outdated { activations: head.activations }));
                }),
            }
        }
        self.slots = open;
        self.head = head;
    }

    /// Responds with `error` to all remaining callers. The records were refused, or it is unknown whether
    /// they were written.
    pub(super) fn fail_all(self, error: &Error) {
        self.into_entries().for_each(|entry| entry.respond(Err(error.clone_for_waiter())));
    }

    /// Returns the remaining entries in order.
    pub(super) fn into_entries(self) -> impl Iterator<Item = Entry> {
        self.slots.into_iter().flat_map(RecordSlot::entries)
    }
}

impl RecordSlot {
    fn entries(self) -> impl Iterator<Item = Entry> {
        std::iter::once(self.first).chain(self.repeats)
    }
}
