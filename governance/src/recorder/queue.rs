//! Who waits to be written, tenant by tenant. Knows nothing of the database.

use std::collections::{HashMap, VecDeque};

use contract::id::TenantId;

/// What is taken from the queue at a time: some entries of each of some tenants.
pub(super) type Group<E> = Vec<(TenantId, Vec<E>)>;

/// Entries that wait, by tenant. A tenant is in one group at a time, so that its entries stay in line.
#[derive(Debug)]
pub(super) struct Queue<E> {
    lines: HashMap<TenantId, Line<E>>,
    /// Tenants with entries that no group is writing, in the order in which they came.
    ready: VecDeque<TenantId>,
    waiting: Load,
    writers: usize,
    limits: Limits,
}

/// What has a size.
pub(super) trait Weigh {
    /// About how many bytes it takes to send.
    fn bytes(&self) -> usize;
}

/// So many entries, and their bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Load {
    pub(super) entries: usize,
    pub(super) bytes: usize,
}

/// How much there may be at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Entries that wait.
    pub(super) waiting: Load,
    /// Entries of one group. One entry may be larger than that: then it is a group of its own.
    pub(super) group: Load,
    /// Groups that are being written.
    pub(super) writers: usize,
}

#[derive(Debug)]
struct Line<E> {
    entries: VecDeque<E>,
    is_underway: bool,
    /// Whether the next group is of this tenant alone, because somebody held its head: it may wait,
    /// and then nobody else should have to.
    is_alone: bool,
}

/// What to do after an entry was taken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// Nothing: somebody leads already.
    Waits,
    /// Start to write: there is a place for one more writer.
    Leads,
}

/// The queue is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Full;

impl Load {
    fn add(&mut self, entry: &impl Weigh) {
        self.entries += 1;
        self.bytes += entry.bytes();
    }

    fn take(&mut self, entry: &impl Weigh) {
        self.entries -= 1;
        self.bytes -= entry.bytes();
    }

    /// Whether there is room for one more below `most`.
    fn admits(&self, entry: &impl Weigh, most: Self) -> bool {
        let room = self.entries < most.entries && self.bytes + entry.bytes() <= most.bytes;
        room || self.entries == 0
    }
}

impl<E: Weigh> Queue<E> {
    /// An empty queue.
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            lines: HashMap::new(),
            ready: VecDeque::new(),
            waiting: Load::default(),
            writers: 0,
            limits,
        }
    }

    /// Puts an entry at the end of its tenant's line.
    pub(super) fn enter(&mut self, tenant: TenantId, entry: E) -> Result<Taken, Full> {
        if !self.waiting.admits(&entry, self.limits.waiting) {
            return Err(Full);
        }
        self.waiting.add(&entry);
        let line = self.lines.entry(tenant).or_insert_with(Line::empty);
        if !line.is_underway && line.entries.is_empty() {
            self.ready.push_back(tenant);
        }
        line.entries.push_back(entry);
        if self.ready.is_empty() || self.writers >= self.limits.writers {
            return Ok(Taken::Waits);
        }
        self.writers += 1;
        Ok(Taken::Leads)
    }

    /// The next group, in the order of tenants' ids. Without one the writer that asks has ended.
    pub(super) fn next(&mut self) -> Option<Group<E>> {
        let mut group: Group<E> = Vec::new();
        let mut load = Load::default();
        let mut passed_over = Vec::new();
        while let Some(tenant) = self.ready.pop_front() {
            let Some(line) = self.lines.get_mut(&tenant) else { continue };
            if line.is_alone && !group.is_empty() {
                passed_over.push(tenant);
                continue;
            }
            let entries = line.take(&mut load, self.limits.group);
            if entries.is_empty() {
                self.ready.push_front(tenant);
                break;
            }
            for entry in &entries {
                self.waiting.take(entry);
            }
            group.push((tenant, entries));
            line.is_underway = true;
            if std::mem::take(&mut line.is_alone) {
                break;
            }
        }
        passed_over.into_iter().rev().for_each(|tenant| self.ready.push_front(tenant));
        if group.is_empty() {
            self.writers -= 1;
            return None;
        }
        group.sort_by_key(|(tenant, _)| *tenant);
        Some(group)
    }

    /// A group has been written, except `held`: tenants whose heads somebody holds.
    pub(super) fn written(&mut self, tenants: &[TenantId], held: Group<E>) {
        for (tenant, entries) in held {
            if let Some(line) = self.lines.get_mut(&tenant) {
                for entry in entries.into_iter().rev() {
                    self.waiting.add(&entry);
                    line.entries.push_front(entry);
                }
                line.is_alone = true;
            }
        }
        for tenant in tenants {
            let Some(line) = self.lines.get_mut(tenant) else { continue };
            line.is_underway = false;
            if line.entries.is_empty() {
                self.lines.remove(tenant);
            } else {
                self.ready.push_back(*tenant);
            }
        }
    }
}

impl<E: Weigh> Line<E> {
    fn empty() -> Self {
        Self { entries: VecDeque::new(), is_underway: false, is_alone: false }
    }

    /// Takes from the front what a group of `load` has room for.
    fn take(&mut self, load: &mut Load, most: Load) -> Vec<E> {
        let mut taken = Vec::new();
        while let Some(entry) = self.entries.pop_front_if(|entry| load.admits(entry, most)) {
            load.add(&entry);
            taken.push(entry);
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits {
        waiting: Load { entries: 9, bytes: 10_000 },
        group: Load { entries: 4, bytes: 100 },
        writers: 2,
    };

    impl Weigh for u128 {
        /// The hundreds.
        fn bytes(&self) -> usize {
            usize::try_from(self / 100 * 100).unwrap()
        }
    }

    fn tenant(number: u128) -> TenantId {
        TenantId(uuid::Uuid::from_u128(number))
    }

    /// A queue with the entries `entries`, each of the tenant of its tens.
    fn queue(entries: &[u128]) -> Queue<u128> {
        let mut queue = Queue::new(LIMITS);
        for entry in entries {
            queue.enter(tenant(entry % 100 / 10), *entry).unwrap();
        }
        queue
    }

    fn entries(group: Option<Group<u128>>) -> Vec<u128> {
        group.into_iter().flatten().flat_map(|(_, entries)| entries).collect()
    }

    #[test]
    fn the_first_leads_and_others_while_there_is_a_place_and_something_to_do() {
        let mut queue = Queue::new(LIMITS);
        assert_eq!(queue.enter(tenant(1), 10), Ok(Taken::Leads));
        assert_eq!(entries(queue.next()), [10]);
        assert_eq!(queue.enter(tenant(1), 11), Ok(Taken::Waits), "its tenant is underway");
        assert_eq!(queue.enter(tenant(2), 20), Ok(Taken::Leads));
        assert_eq!(queue.enter(tenant(3), 30), Ok(Taken::Waits), "two lead");
    }

    #[test]
    fn a_group_takes_tenants_as_they_came_and_no_more_than_it_may() {
        let mut queue = queue(&[31, 11, 32, 12, 33, 21]);
        assert_eq!(entries(queue.next()), [11, 31, 32, 33], "sorted by tenant");
        assert_eq!(entries(queue.next()), [21], "a tenant that is underway waits");
        assert_eq!(queue.next(), None);
        queue.written(&[tenant(3), tenant(1)], Vec::new());
        assert_eq!(entries(queue.next()), [12]);
    }

    #[test]
    fn a_tenant_that_was_held_comes_first_in_its_line_and_alone_in_its_group() {
        let mut queue = queue(&[11, 21]);
        assert_eq!(entries(queue.next()), [11, 21]);
        queue.enter(tenant(1), 12).unwrap();
        queue.enter(tenant(3), 31).unwrap();
        queue.written(&[tenant(1), tenant(2)], vec![(tenant(1), vec![11])]);
        assert_eq!(entries(queue.next()), [31]);
        queue.enter(tenant(2), 22).unwrap();
        assert_eq!(entries(queue.next()), [11, 12]);
        assert_eq!(entries(queue.next()), [22]);
    }

    #[test]
    fn a_full_queue_refuses_and_a_drained_one_keeps_nothing() {
        let mut queue = queue(&[1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(queue.enter(tenant(1), 10), Err(Full));
        let mut seen = Vec::new();
        while let Some(group) = queue.next() {
            let tenants: Vec<_> = group.iter().map(|(tenant, _)| *tenant).collect();
            seen.extend(entries(Some(group)));
            queue.written(&tenants, Vec::new());
        }
        assert_eq!(seen, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert!(queue.lines.is_empty() && queue.ready.is_empty());
        assert_eq!(queue.next(), None, "the second writer finds nothing either");
        assert_eq!((queue.waiting, queue.writers), (Load::default(), 0));
    }

    #[test]
    fn a_group_has_a_bound_in_bytes_and_takes_an_entry_beyond_it_alone() {
        let mut queue = queue(&[11, 500, 12, 121, 122, 21]);
        assert_eq!(entries(queue.next()), [11, 12], "500 bytes are too much beside others");
        assert_eq!(entries(queue.next()), [500]);
        assert_eq!(entries(queue.next()), [121]);
        queue.written(&[tenant(2)], Vec::new());
        assert_eq!(entries(queue.next()), [122, 21]);
    }

    #[test]
    fn what_waits_has_a_bound_in_bytes() {
        let mut queue = queue(&[9_911]);
        assert_eq!(queue.enter(tenant(1), 211), Err(Full));
        assert_eq!(queue.enter(tenant(1), 11), Ok(Taken::Leads));
    }
}
