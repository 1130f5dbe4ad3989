//! Open connections: the limits per listener and per client, and the choice of the idle connection to close.

use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    net::IpAddr,
    num::NonZeroUsize,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use governance::base::network::block;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::Instant,
};

use super::connection::{ConnectionState, ConnectionTimeouts};

/// The time between two searches for an idle connection while the listener is at its limit.
const SEARCH_INTERVAL: Duration = Duration::from_millis(50);

/// The limits of a listener: the number of its connections, and the time that each may be silent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionLimits {
    /// The number of connections of all clients.
    pub max: NonZeroUsize,
    /// The number of connections of one client, which is an IPv4 address or an IPv6 block of /64. `None`
    /// means no limit per client.
    pub per_client: Option<NonZeroUsize>,
    /// The time limits of a silent connection.
    pub timeouts: ConnectionTimeouts,
}

impl ConnectionLimits {
    /// The default number of connections of all clients.
    const MAX: NonZeroUsize = NonZeroUsize::new(4_096).expect("4,096 is not 0");

    /// The default number of connections of one client: a quarter of all.
    const PER_CLIENT: NonZeroUsize = NonZeroUsize::new(1_024).expect("1,024 is not 0");

    /// Returns the limits for a service behind `trusted_proxies` proxies, with `per_client` as configured.
    ///
    /// Behind a proxy all connections have the proxy's address, so the default there is no limit per client.
    /// The proxy has the client addresses and can limit them.
    pub fn behind(trusted_proxies: u8, per_client: Option<NonZeroUsize>) -> Self {
        let default = (trusted_proxies == 0).then_some(Self::PER_CLIENT);
        Self {
            max: Self::MAX,
            per_client: per_client.or(default),
            timeouts: ConnectionTimeouts::default(),
        }
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
    permits: Arc<Semaphore>,
    open: Arc<Mutex<OpenConnections>>,
}

#[derive(Debug, Default)]
struct OpenConnections {
    by_id: HashMap<u64, ConnectionState>,
    by_client: HashMap<IpAddr, BTreeMap<u64, ConnectionState>>,
    next_id: u64,
    /// Idle connections as of the last search, longest idle first. Connections that became idle after the
    /// search have been idle for less time than all of these.
    longest_idle: VecDeque<(u64, Instant)>,
}

/// An open connection; it leaves the registry when it is dropped.
#[derive(Debug)]
pub(super) struct OpenConnection {
    open: Arc<Mutex<OpenConnections>>,
    client: IpAddr,
    id: u64,
    _permit: OwnedSemaphorePermit,
}

impl Connections {
    pub(super) fn new(limits: ConnectionLimits) -> Self {
        let permits = Arc::new(Semaphore::new(limits.max.get()));
        Self { limits, permits, open: Arc::default() }
    }

    /// Admits a connection from `address`. At a limit it closes an idle connection: of the same client if the
    /// client is at its limit, of all clients if the listener is. The longest idle connection is closed
    /// first. If the listener is at its limit and no connection is idle, it waits.
    ///
    /// Returns `None` if the client is at its limit and each of its connections handles a request.
    pub(super) async fn admit(&self, address: IpAddr) -> Option<(OpenConnection, ConnectionState)> {
        let client = block(address);
        if let Some(max) = self.limits.per_client
            && !self.open().make_room_for(client, max)
        {
            return None;
        }
        let permit = self.acquire_permit().await?;
        let connection = ConnectionState::new(self.limits.timeouts);
        let mut open = self.open();
        let id = open.next_id;
        open.next_id = id.wrapping_add(1);
        open.by_id.insert(id, connection.clone());
        open.by_client.entry(client).or_default().insert(id, connection.clone());
        drop(open);
        Some((OpenConnection { open: self.open.clone(), client, id, _permit: permit }, connection))
    }

    /// Closes the connection that has been idle longest, if any is idle.
    pub(super) fn close_longest_idle(&self) {
        self.open().close_longest_idle();
    }

    async fn acquire_permit(&self) -> Option<OwnedSemaphorePermit> {
        if let Ok(permit) = self.permits.clone().try_acquire_owned() {
            return Some(permit);
        }
        loop {
            self.close_longest_idle();
            let permit = self.permits.clone().acquire_owned();
            if let Ok(acquired) = tokio::time::timeout(SEARCH_INTERVAL, permit).await {
                return acquired.ok();
            }
        }
    }

    fn open(&self) -> MutexGuard<'_, OpenConnections> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpenConnections {
    /// Closes idle connections of `client`, longest idle first, until it has fewer than `max`. Returns
    /// whether that succeeded.
    fn make_room_for(&mut self, client: IpAddr, max: NonZeroUsize) -> bool {
        let Some(connections) = self.by_client.get_mut(&client) else { return true };
        while connections.len() >= max.get() {
            let idle = connections
                .iter()
                .filter_map(|(id, connection)| Some((connection.idle_since()?, *id)));
            let Some((since, id)) = idle.min() else { return false };
            // A connection that has become busy in the meantime stays open and does not match in the next
            // round.
            if connections.get(&id).is_some_and(|connection| connection.close_idle(since)) {
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
        let idle = idle.filter_map(|(id, connection)| Some((*id, connection.idle_since()?)));
        let mut idle: Vec<_> = idle.collect();
        idle.sort_unstable_by_key(|(_, since)| *since);
        self.longest_idle = idle.into();
        self.close_next();
    }

    /// Closes the first connection of the last search that is still idle.
    fn close_next(&mut self) -> bool {
        while let Some((id, since)) = self.longest_idle.pop_front() {
            if self.by_id.get(&id).is_some_and(|connection| connection.close_idle(since)) {
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
