//! Counts that processes share, in Redis (`GOVERN_REDIS_URL`). Without Redis nobody waits: each process
//! counts for itself then, and shares again when Redis is back.

use std::{
    fmt,
    str::FromStr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use contract::time::Timestamp;
use redis::{AsyncConnectionConfig, Client, aio::MultiplexedConnection, cmd};

use super::{Quota, windows::WINDOW_MS};

/// How long a process counts for itself before it looks for Redis again.
const AGAIN: Duration = Duration::from_secs(1);

/// How long a connection may take. Requests do not wait for it.
const CONNECT: Duration = Duration::from_secs(2);

/// Takes one of a window's requests, as [`Windows`](super::windows::Windows) does: the window begins with
/// its first one, and those beyond the limit are not counted. One clock counts for all processes. Answers
/// whether it was within the limit, how many there were, and for how many milliseconds they count.
const TAKE: &str = "local count = tonumber(redis.call('GET', KEYS[1]) or '0')
local within = count < tonumber(ARGV[1])
if within then
  count = redis.call('INCR', KEYS[1])
  if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
end
return {within and 1 or 0, count, redis.call('PTTL', KEYS[1])}";

/// The counts at an instance of Redis. Cheap to clone.
#[derive(Clone)]
pub(super) struct Shared(Arc<Instance>);

struct Instance {
    client: Client,
    /// How long one count may take.
    patience: Duration,
    link: Mutex<Link>,
}

/// The way to the instance.
enum Link {
    Up(MultiplexedConnection),
    /// Somebody connects.
    Connecting,
    /// Not to be tried again before this moment.
    Down(Instant),
}

impl fmt::Debug for Shared {
    /// Without the address, which may hold a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_up = matches!(*self.0.link(), Link::Up(_));
        f.debug_struct("Shared").field("is_up", &is_up).finish_non_exhaustive()
    }
}

/// Where Redis is. It may hold a password, and is not shown.
#[derive(Clone)]
pub struct RedisAddress(Client);

impl FromStr for RedisAddress {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        // What the crate says of a fault may hold the password.
        let client = Client::open(text).map_err(|_| "must be like `redis://127.0.0.1:6379`")?;
        Ok(Self(client))
    }
}

impl fmt::Debug for RedisAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RedisAddress(…)")
    }
}

impl Shared {
    /// The counts at `address`; one that takes longer than `patience` is done without.
    pub(super) fn at(address: RedisAddress, patience: Duration) -> Self {
        let link = Mutex::new(Link::Down(Instant::now()));
        Self(Arc::new(Instance { client: address.0, patience, link }))
    }

    /// Counts a request under `key`. Nothing when Redis does not tell in time.
    pub(super) async fn take(
        &self,
        key: &str,
        limit: u32,
        now: Timestamp,
    ) -> Option<Result<Quota, Quota>> {
        let mut connection = self.connection()?;
        let mut take = cmd("EVAL");
        take.arg(TAKE).arg(1).arg(key).arg(limit).arg(WINDOW_MS);
        let taken = take.query_async::<(u32, u32, i64)>(&mut connection);
        let (is_within, count, left_ms) = match tokio::time::timeout(self.0.patience, taken).await {
            Ok(Ok(taken)) => taken,
            Ok(Err(error)) => return self.lost(&error.category()),
            Err(_) => return self.lost(&"it does not answer in time"),
        };
        let quota = Quota {
            limit,
            remaining: limit.saturating_sub(count),
            reset_ms: now.millis().saturating_add(left_ms.clamp(0, WINDOW_MS)),
        };
        Some(if is_within == 1 { Ok(quota) } else { Err(quota) })
    }

    /// The connection, if there is one; else it is seen to that there will be.
    fn connection(&self) -> Option<MultiplexedConnection> {
        let mut link = self.0.link();
        match &*link {
            Link::Up(connection) => return Some(connection.clone()),
            Link::Down(until) if *until <= Instant::now() => {}
            Link::Connecting | Link::Down(_) => return None,
        }
        *link = Link::Connecting;
        let shared = self.clone();
        tokio::spawn(async move { shared.connect().await });
        None
    }

    /// Gives the connection up.
    fn lost<T>(&self, why: &dyn fmt::Display) -> Option<T> {
        let mut link = self.0.link();
        // The first one who notices says so; another may have connected anew meanwhile.
        if matches!(*link, Link::Up(_)) {
            tracing::warn!(%why, "Redis is away: this process counts requests for itself");
            *link = Link::Down(Instant::now() + AGAIN);
        }
        None
    }

    /// Connects, and tells whether that has succeeded.
    pub(super) async fn connect(&self) -> bool {
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(CONNECT))
            .set_response_timeout(Some(CONNECT));
        let connected = self.0.client.get_multiplexed_async_connection_with_config(&config);
        let connected = tokio::time::timeout(CONNECT, connected).await;
        let mut link = self.0.link();
        if let Ok(Ok(connection)) = connected {
            tracing::info!("requests are counted in Redis, together with other processes");
            *link = Link::Up(connection);
            return true;
        }
        tracing::debug!("Redis cannot be reached");
        // Somebody else may have connected meanwhile.
        if !matches!(*link, Link::Up(_)) {
            *link = Link::Down(Instant::now() + AGAIN);
        }
        false
    }
}

impl Instance {
    fn link(&self) -> MutexGuard<'_, Link> {
        self.link.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
