//! The queue of records to write, per tenant. Independent of the database.

use std::collections::VecDeque;

use crate::base::prelude::*;

/// Some entries of each of some tenants.
pub(super) type Entries<E> = Vec<(TenantId, Vec<E>)>;

/// The entries written together, ordered by tenant ID.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Group<E> {
    pub(super) entries: Entries<E>,
    /// Whether the group waits for a head that another transaction has locked. Such a group contains one tenant,
    /// because other tenants must not wait with it.
    pub(super) waits: bool,
}

/// Waiting entries by tenant. A tenant is in at most one group at a time, which preserves the order of its
/// entries.
#[derive(Debug)]
pub(super) struct Queue<E> {
    tenants: HashMap<TenantId, TenantQueue<E>>,
    /// Tenants with entries that no group is writing, in order of arrival.
    ready: VecDeque<TenantId>,
    /// The number of entries of these tenants.
    ready_entries: usize,
    waiting: QueueLoad,
    writers: usize,
    /// The writers whose group waits for a locked head.
    waiting_writers: usize,
    limits: Limits,
}

pub(super) trait Weight {
    /// Returns the approximate number of bytes to send.
    fn bytes(&self) -> usize;
}

/// A number of entries and their bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct QueueLoad {
    pub(super) entries: usize,
    pub(super) bytes: usize,
}

/// The limits of the queue.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// The entries that wait.
    pub(super) waiting: QueueLoad,
    /// The entries of one group. A single entry may exceed the limit and then forms a group of its own.
    pub(super) group: QueueLoad,
    /// The groups that are written at a time.
    pub(super) writers: usize,
    /// The entries that must be ready before another group is written at the same time. A few entries wait for
    /// the group in flight: a commit and a call for each of many small groups cost more than the wait.
    pub(super) further_group: usize,
}

#[derive(Debug)]
struct TenantQueue<E> {
    entries: VecDeque<E>,
    is_underway: bool,
    /// Whether the next group contains only this tenant. Set after its head was locked by another
    /// transaction: the group may wait, and other tenants must not wait with it.
    is_alone: bool,
}

/// The action required after an entry was queued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Enqueued {
    /// None: a writer is active.
    Waiting,
    /// Start a writer: fewer writers than allowed are active.
    StartWriter,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct QueueFull;

impl QueueLoad {
    fn add(&mut self, entry: &impl Weight) {
        self.entries += 1;
        self.bytes += entry.bytes();
    }

    fn take(&mut self, entry: &impl Weight) {
        self.entries -= 1;
        self.bytes -= entry.bytes();
    }

    /// Returns whether one more entry fits within `max`. An empty load accepts any entry.
    fn has_room_for(&self, entry: &impl Weight, max: Self) -> bool {
        let fits = self.entries < max.entries && self.bytes + entry.bytes() <= max.bytes;
        fits || self.entries == 0
    }
}

impl<E: Weight> Queue<E> {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            tenants: HashMap::new(),
            ready: VecDeque::new(),
            ready_entries: 0,
            waiting: QueueLoad::default(),
            writers: 0,
            waiting_writers: 0,
            limits,
        }
    }

    pub(super) fn push(&mut self, tenant: TenantId, entry: E) -> Result<Enqueued, QueueFull> {
        if !self.waiting.has_room_for(&entry, self.limits.waiting) {
            return Err(QueueFull);
        }
        self.waiting.add(&entry);
        let queue = self.tenants.entry(tenant).or_insert_with(TenantQueue::empty);
        if !queue.is_underway {
            if queue.entries.is_empty() {
                self.ready.push_back(tenant);
            }
            self.ready_entries += 1;
        }
        queue.entries.push_back(entry);
        Ok(if self.start_writer() { Enqueued::StartWriter } else { Enqueued::Waiting })
    }

    /// Returns whether the caller must start a writer.
    pub(super) fn start_writer(&mut self) -> bool {
        let starts = self.may_write(self.writers);
        self.writers += usize::from(starts);
        starts
    }

    /// Returns whether a group may be written while `others` writers are active.
    fn may_write(&self, others: usize) -> bool {
        let ready_min = if others == self.waiting_writers { 1 } else { self.limits.further_group };
        others < self.limits.writers && self.ready_entries >= ready_min
    }

    /// Returns the next group. `None` ends the calling writer.
    pub(super) fn next_group(&mut self) -> Option<Group<E>> {
        if !self.may_write(self.writers - 1) {
            self.writers -= 1;
            return None;
        }
        let mut group = Group { entries: Vec::new(), waits: false };
        let mut load = QueueLoad::default();
        let mut skipped = Vec::new();
        while let Some(tenant) = self.ready.pop_front() {
            let Some(queue) = self.tenants.get_mut(&tenant) else { continue };
            if queue.is_alone && !group.entries.is_empty() {
                skipped.push(tenant);
                continue;
            }
            let entries = queue.take(&mut load, self.limits.group);
            if entries.is_empty() {
                self.ready.push_front(tenant);
                break;
            }
            for entry in &entries {
                self.waiting.take(entry);
            }
            self.ready_entries -= entries.len() + queue.entries.len();
            group.entries.push((tenant, entries));
            queue.is_underway = true;
            if std::mem::take(&mut queue.is_alone) {
                group.waits = true;
                self.waiting_writers += 1;
                break;
            }
        }
        skipped.into_iter().rev().for_each(|tenant| self.ready.push_front(tenant));
        group.entries.sort_by_key(|(tenant, _)| *tenant);
        Some(group)
    }

    /// Completes the group of `tenants`, which did or did not wait for a locked head. `locked` contains the entries
    /// that were not written because their tenant's head is locked.
    pub(super) fn complete(&mut self, tenants: &[TenantId], waited: bool, locked: Entries<E>) {
        self.waiting_writers -= usize::from(waited);
        for (tenant, entries) in locked {
            if let Some(queue) = self.tenants.get_mut(&tenant) {
                for entry in entries.into_iter().rev() {
                    self.waiting.add(&entry);
                    queue.entries.push_front(entry);
                }
                queue.is_alone = true;
            }
        }
        for tenant in tenants {
            let Some(queue) = self.tenants.get_mut(tenant) else { continue };
            queue.is_underway = false;
            if queue.entries.is_empty() {
                self.tenants.remove(tenant);
            } else {
                self.ready_entries += queue.entries.len();
                self.ready.push_back(*tenant);
            }
        }
    }
}

impl<E: Weight> TenantQueue<E> {
    fn empty() -> Self {
        Self { entries: VecDeque::new(), is_underway: false, is_alone: false }
    }

    /// Removes the entries from the front that fit into a group of `load`.
    fn take(&mut self, load: &mut QueueLoad, max: QueueLoad) -> Vec<E> {
        let mut entries = Vec::new();
        while let Some(entry) = self.entries.pop_front_if(|entry| load.has_room_for(entry, max)) {
            load.add(&entry);
            entries.push(entry);
        }
        entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits {
        waiting: QueueLoad { entries: 9, bytes: 10_000 },
        group: QueueLoad { entries: 4, bytes: 100 },
        writers: 2,
        further_group: 1,
    };

    impl Weight for u128 {
        /// The hundreds of the number.
        fn bytes(&self) -> usize {
            usize::try_from(self / 100 * 100).unwrap()
        }
    }

    fn tenant(number: u128) -> TenantId {
        TenantId(uuid::Uuid::from_u128(number))
    }

    /// Returns a queue with `entries`. The tens digit of an entry is its tenant.
    fn queue(entries: &[u128]) -> Queue<u128> {
        let mut queue = Queue::new(LIMITS);
        for entry in entries {
            queue.push(tenant(entry % 100 / 10), *entry).unwrap();
        }
        queue
    }

    fn entries(group: Option<Group<u128>>) -> Vec<u128> {
        group.into_iter().flat_map(|group| group.entries).flat_map(|(_, entries)| entries).collect()
    }

    #[test]
    fn writers_start_while_slots_and_entries_remain() {
        let mut queue = Queue::new(LIMITS);
        assert_eq!(queue.push(tenant(1), 10), Ok(Enqueued::StartWriter));
        assert_eq!(entries(queue.next_group()), [10]);
        assert_eq!(
            queue.push(tenant(1), 11),
            Ok(Enqueued::Waiting),
            "a group of its tenant is being written"
        );
        assert_eq!(queue.push(tenant(2), 20), Ok(Enqueued::StartWriter));
        assert_eq!(queue.push(tenant(3), 30), Ok(Enqueued::Waiting), "two writers are active");
    }

    #[test]
    fn a_few_entries_wait_for_the_group_in_flight() {
        let mut queue = Queue::new(Limits { further_group: 3, ..LIMITS });
        assert_eq!(queue.push(tenant(1), 10), Ok(Enqueued::StartWriter));
        assert_eq!(entries(queue.next_group()), [10]);
        assert_eq!(queue.push(tenant(1), 11), Ok(Enqueued::Waiting));
        assert_eq!(queue.push(tenant(2), 20), Ok(Enqueued::Waiting));
        assert_eq!(queue.push(tenant(3), 30), Ok(Enqueued::Waiting), "two entries are ready");
        assert_eq!(queue.push(tenant(3), 31), Ok(Enqueued::StartWriter));
        assert_eq!(entries(queue.next_group()), [20, 30, 31]);
        assert_eq!(queue.push(tenant(4), 40), Ok(Enqueued::Waiting));
        queue.complete(&[tenant(2), tenant(3)], false, Vec::new());
        assert_eq!(queue.next_group(), None, "the first group is still in flight");
        queue.complete(&[tenant(1)], false, Vec::new());
        assert_eq!(entries(queue.next_group()), [11, 40]);
    }

    #[test]
    fn no_entry_waits_for_a_group_that_waits_for_a_locked_head() {
        let mut queue = Queue::new(Limits { further_group: 3, ..LIMITS });
        queue.push(tenant(1), 10).unwrap();
        assert_eq!(entries(queue.next_group()), [10]);
        queue.push(tenant(2), 20).unwrap();
        queue.complete(&[tenant(1)], false, vec![(tenant(1), vec![10])]);
        assert_eq!(entries(queue.next_group()), [20]);
        queue.push(tenant(3), 30).unwrap();
        queue.complete(&[tenant(2)], false, Vec::new());
        let waiting = queue.next_group();
        assert!(waiting.as_ref().is_some_and(|group| group.waits));
        assert_eq!(entries(waiting), [10]);
        assert!(queue.start_writer(), "tenant 3 does not wait for tenant 1");
        assert_eq!(entries(queue.next_group()), [30]);
    }

    #[test]
    fn group_takes_tenants_in_order_of_arrival_up_to_its_limit() {
        let mut queue = queue(&[31, 11, 32, 12, 33, 21]);
        assert_eq!(entries(queue.next_group()), [11, 31, 32, 33], "sorted by tenant");
        assert_eq!(
            entries(queue.next_group()),
            [21],
            "a tenant whose group is being written waits"
        );
        assert_eq!(queue.next_group(), None);
        queue.complete(&[tenant(3), tenant(1)], false, Vec::new());
        assert_eq!(entries(queue.next_group()), [12]);
    }

    #[test]
    fn locked_tenant_keeps_its_order_and_gets_a_group_of_its_own() {
        let mut queue = queue(&[11, 21]);
        assert_eq!(entries(queue.next_group()), [11, 21]);
        queue.push(tenant(1), 12).unwrap();
        queue.push(tenant(3), 31).unwrap();
        queue.complete(&[tenant(1), tenant(2)], false, vec![(tenant(1), vec![11])]);
        assert_eq!(entries(queue.next_group()), [31]);
        queue.push(tenant(2), 22).unwrap();
        assert_eq!(entries(queue.next_group()), [11, 12]);
        assert_eq!(entries(queue.next_group()), [22]);
    }

    #[test]
    fn full_queue_refuses_and_drained_queue_is_empty() {
        let mut queue = queue(&[1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(queue.push(tenant(1), 10), Err(QueueFull));
        let mut written = Vec::new();
        while let Some(group) = queue.next_group() {
            let tenants: Vec<_> = group.entries.iter().map(|(tenant, _)| *tenant).collect();
            written.extend(entries(Some(group)));
            queue.complete(&tenants, false, Vec::new());
        }
        assert_eq!(written, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert!(queue.tenants.is_empty() && queue.ready.is_empty());
        assert_eq!(queue.next_group(), None, "the second writer finds nothing either");
        assert_eq!((queue.waiting, queue.writers), (QueueLoad::default(), 0));
    }

    #[test]
    fn group_is_limited_in_bytes_and_larger_entry_is_written_alone() {
        let mut queue = queue(&[11, 500, 12, 121, 122, 21]);
        assert_eq!(
            entries(queue.next_group()),
            [11, 12],
            "500 bytes exceed the limit of the group"
        );
        assert_eq!(entries(queue.next_group()), [500]);
        assert_eq!(entries(queue.next_group()), [121]);
        queue.complete(&[tenant(2)], false, Vec::new());
        assert_eq!(entries(queue.next_group()), [122, 21]);
    }

    #[test]
    fn waiting_entries_are_limited_in_bytes() {
        let mut queue = queue(&[9_911]);
        assert_eq!(queue.push(tenant(1), 211), Err(QueueFull));
        assert_eq!(queue.push(tenant(1), 11), Ok(Enqueued::StartWriter));
    }
}
