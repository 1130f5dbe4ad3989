//! The open connections: how many one client may have, and which one is closed when there are too many.

use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    net::IpAddr,
    num::NonZeroUsize,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use governance::network::block;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::Instant,
};

use super::phase::{Patience, Phases};

/// How long passes between two searches for an idle connection while all places are taken.
const SEARCH_AGAIN: Duration = Duration::from_millis(50);

/// How many connections a listener serves, and how long each may be silent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionLimits {
    /// Connections of all clients.
    pub max: NonZeroUsize,
    /// Connections of one client: an IPv4 address or an IPv6 block of /64. Without a value only `max` holds.
    pub per_client: Option<NonZeroUsize>,
    /// How long a connection may be silent.
    pub patience: Patience,
}

impl ConnectionLimits {
    /// Connections of all clients by default.
    const MAX: NonZeroUsize = NonZeroUsize::new(4_096).expect("4,096 is not 0");

    /// Connections of one client by default: a quarter of all.
    const PER_CLIENT: NonZeroUsize = NonZeroUsize::new(1_024).expect("1,024 is not 0");

    /// Returns the limits with `per_client` as set, behind this many trusted proxies.
    ///
    /// Behind a proxy all connections come from its address, so without a setting clients have no limit of their
    /// own there: the proxy has the addresses to limit by.
    pub fn behind(trusted_proxies: u8, per_client: Option<NonZeroUsize>) -> Self {
        let default = (trusted_proxies == 0).then_some(Self::PER_CLIENT);
        Self { max: Self::MAX, per_client: per_client.or(default), patience: Patience::default() }
    }
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self::behind(0, None)
    }
}

/// The open connections of one listener. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct Connections {
    limits: ConnectionLimits,
    places: Arc<Semaphore>,
    open: Arc<Mutex<Open>>,
}

#[derive(Debug, Default)]
struct Open {
    by_id: HashMap<u64, Phases>,
    by_client: HashMap<IpAddr, BTreeMap<u64, Phases>>,
    next_id: u64,
    /// Idle connections as of the last search, longest idle first. What became idle after the search was idle for
    /// less time than all of these.
    longest_idle: VecDeque<(u64, Instant)>,
}

/// The place of one connection, released when it is dropped.
#[derive(Debug)]
pub(super) struct OpenConnection {
    open: Arc<Mutex<Open>>,
    client: IpAddr,
    id: u64,
    _permit: OwnedSemaphorePermit,
}

impl Connections {
    pub(super) fn new(limits: ConnectionLimits) -> Self {
        let places = Arc::new(Semaphore::new(limits.max.get()));
        Self { limits, places, open: Arc::default() }
    }

    /// Admits a connection from `address`, and closes others where there is no room: of the same client the one
    /// that has been idle longest, then of all clients. Waits while every connection has a request under way.
    ///
    /// Returns `None` when the client has as many connections as it may, each with a request under way.
    pub(super) async fn admit(&self, address: IpAddr) -> Option<(OpenConnection, Phases)> {
        let client = block(address);
        if let Some(max) = self.limits.per_client
            && !self.open().make_room_for(client, max)
        {
            return None;
        }
        let permit = self.place().await?;
        let phases = Phases::accepted(self.limits.patience);
        let mut open = self.open();
        let id = open.next_id;
        open.next_id = id.wrapping_add(1);
        open.by_id.insert(id, phases.clone());
        open.by_client.entry(client).or_default().insert(id, phases.clone());
        drop(open);
        Some((OpenConnection { open: self.open.clone(), client, id, _permit: permit }, phases))
    }

    /// Closes the connection that has been idle longest, if one is idle.
    pub(super) fn close_longest_idle(&self) {
        self.open().close_longest_idle();
    }

    async fn place(&self) -> Option<OwnedSemaphorePermit> {
        if let Ok(permit) = self.places.clone().try_acquire_owned() {
            return Some(permit);
        }
        loop {
            self.close_longest_idle();
            let place = self.places.clone().acquire_owned();
            if let Ok(acquired) = tokio::time::timeout(SEARCH_AGAIN, place).await {
                return acquired.ok();
            }
        }
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
    /// Closes idle connections of `client`, longest idle first, until it has fewer than `max`. Returns whether it
    /// has.
    fn make_room_for(&mut self, client: IpAddr, max: NonZeroUsize) -> bool {
        let Some(connections) = self.by_client.get_mut(&client) else { return true };
        while connections.len() >= max.get() {
            let idle =
                connections.iter().filter_map(|(id, phases)| Some((phases.idle_since()?, *id)));
            let Some((since, id)) = idle.min() else { return false };
            // One that has become busy in the meantime is not closed, and is not found again.
            if connections.get(&id).is_some_and(|phases| phases.close_idle(since)) {
                connections.remove(&id);
                self.by_id.remove(&id);
            }
        }
        true
    }

    fn close_longest_idle(&mut self) {
        if self.close_next() {
            return;
        }
        let idle = self.by_id.iter();
        let idle = idle.filter_map(|(id, phases)| Some((*id, phases.idle_since()?)));
        let mut idle: Vec<_> = idle.collect();
        idle.sort_unstable_by_key(|(_, since)| *since);
        self.longest_idle = idle.into();
        self.close_next();
    }

    /// Closes the first of those found by the last search that is still idle.
    fn close_next(&mut self) -> bool {
        while let Some((id, since)) = self.longest_idle.pop_front() {
            if self.by_id.get(&id).is_some_and(|phases| phases.close_idle(since)) {
                self.by_id.remove(&id);
                return true;
            }
        }
        false
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.by_id.remove(&self.id);
        if let Some(connections) = open.by_client.get_mut(&self.client) {
            connections.remove(&self.id);
            if connections.is_empty() {
                open.by_client.remove(&self.client);
            }
        }
    }
}
