//! Counts that processes share, in Redis (`GOVERN_REDIS_URL`). Without Redis nobody waits: each process
//! counts for itself then, and shares again when Redis is back.

use std::{
    fmt,
    str::FromStr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use contract::time::Timestamp;
use governance::attempts::{Counter, Exhausted, Step};
use redis::{AsyncConnectionConfig, Client, Cmd, FromRedisValue, aio::MultiplexedConnection, cmd};

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

/// Checks counters of failures as `governance::attempts` does: when one is exhausted, answers for how many
/// milliseconds; else adds one to each of them if `ARGV[1]` is 1, and answers 0.
const CHECK: &str = "local wait = 0
for i, key in ipairs(KEYS) do
  if tonumber(redis.call('GET', key) or '0') >= tonumber(ARGV[2 * i]) then
    wait = math.max(wait, redis.call('PTTL', key), 1)
  end
end
if wait == 0 and ARGV[1] == '1' then
  for i, key in ipairs(KEYS) do
    if redis.call('INCR', key) == 1 then redis.call('PEXPIRE', key, ARGV[2 * i + 1]) end
  end
end
return wait";

/// Takes one failure from each counter that still has one.
const GIVE_BACK: &str = "for _, key in ipairs(KEYS) do
  if tonumber(redis.call('GET', key) or '0') > 0 then redis.call('DECR', key) end
end
return 0";

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
        let mut take = cmd("EVAL");
        take.arg(TAKE).arg(1).arg(key).arg(limit).arg(WINDOW_MS);
        let (is_within, count, left_ms) = self.query::<(u32, u32, i64)>(&take).await?;
        let quota = Quota {
            limit,
            remaining: limit.saturating_sub(count),
            reset_ms: now.millis().saturating_add(left_ms.clamp(0, WINDOW_MS)),
        };
        Some(if is_within == 1 { Ok(quota) } else { Err(quota) })
    }

    /// Checks counters of failures. Nothing when Redis does not answer in time.
    pub(super) async fn check(
        &self,
        counters: &[Counter],
        step: Step,
    ) -> Option<Result<(), Exhausted>> {
        let mut check = script(CHECK, counters);
        check.arg(u8::from(step == Step::Take));
        for counter in counters {
            check.arg(counter.failures_max).arg(counter.window_ms);
        }
        let wait_ms = self.query::<i64>(&check).await?;
        Some(if wait_ms == 0 { Ok(()) } else { Err(Exhausted { wait_ms }) })
    }

    /// Takes one failure from each counter. Returns whether Redis has answered in time.
    pub(super) async fn give_back(&self, counters: &[Counter]) -> bool {
        self.query::<i64>(&script(GIVE_BACK, counters)).await.is_some()
    }

    /// The answer to a command. Nothing when Redis does not answer in time.
    async fn query<T: FromRedisValue>(&self, command: &Cmd) -> Option<T> {
        let mut connection = self.connection()?;
        let answer = command.query_async::<T>(&mut connection);
        match tokio::time::timeout(self.0.patience, answer).await {
            Ok(Ok(answer)) => Some(answer),
            Ok(Err(error)) => self.lost(&error.category()),
            Err(_) => self.lost(&"it does not answer in time"),
        }
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

/// A script with its keys.
fn script(text: &str, counters: &[Counter]) -> Cmd {
    let mut script = cmd("EVAL");
    script.arg(text).arg(counters.len());
    for counter in counters {
        script.arg(format!("govern:failed:{:032x}", counter.key));
    }
    script
}

impl Instance {
    fn link(&self) -> MutexGuard<'_, Link> {
        self.link.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
