//! Counters that processes share in Redis (`GOVERN_REDIS_URL`). While Redis is unavailable, each process uses
//! its own counters, and requests do not wait.

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use contract::time::Timestamp;
use governance::access::attempts::{Counter, Exhausted, Step};
use redis::{AsyncConnectionConfig, Client, Cmd, FromRedisValue, aio::MultiplexedConnection, cmd};

use super::fixed_window::WINDOW_MS;
use crate::{config::redis::RedisAddress, edge::quota::Quota};

/// The time until the next connection attempt. Until then the process uses its own counters.
const RECONNECT_AFTER: Duration = Duration::from_secs(1);

/// The time limit of a connection attempt. Requests do not wait for it.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

/// Script that counts `ARGV[3]` requests like
/// [`FixedWindowCounters::count`](super::fixed_window::FixedWindowCounters::count): the window starts with its
/// first request, and requests beyond the limit are not counted. All processes share the clock of Redis.
/// Returns whether the request was within the limit, the count, and the milliseconds until the window ends.
const COUNT_SCRIPT: &str = "local count = tonumber(redis.call('GET', KEYS[1]) or '0')
local within = count + tonumber(ARGV[3]) <= tonumber(ARGV[1])
if within then
  local is_new = count == 0
  count = redis.call('INCRBY', KEYS[1], ARGV[3])
  if is_new then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
end
return {within and 1 or 0, count, redis.call('PTTL', KEYS[1])}";

/// Script that checks counters of failures like `governance::access::attempts`. If a counter is exhausted,
/// returns the milliseconds to wait. Otherwise it adds one to each counter if `ARGV[1]` is 1, and returns 0.
const CHECK_SCRIPT: &str = "local wait = 0
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

/// Script that subtracts one failure from each counter above zero.
const GIVE_BACK_SCRIPT: &str = "for _, key in ipairs(KEYS) do
  if tonumber(redis.call('GET', key) or '0') > 0 then redis.call('DECR', key) end
end
return 0";

/// The counters in Redis. Cheap to clone.
#[derive(Clone)]
pub(super) struct RedisCounters(Arc<Instance>);

struct Instance {
    client: Client,
    /// The time limit of one command.
    timeout: Duration,
    state: Mutex<RedisConnection>,
}

enum RedisConnection {
    Up(MultiplexedConnection),
    /// A task is connecting.
    Connecting,
    /// Not connected; the next attempt starts at this time at the earliest.
    Down(Instant),
}

impl fmt::Debug for RedisCounters {
    /// Leaves out the address, which may contain a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_up = matches!(*self.0.state(), RedisConnection::Up(_));
        f.debug_struct("RedisCounters").field("is_up", &is_up).finish_non_exhaustive()
    }
}

impl RedisCounters {
    /// Creates the counters at `address`. Commands that take longer than `timeout` fail.
    pub(super) fn new(address: &RedisAddress, timeout: Duration) -> Self {
        let state = Mutex::new(RedisConnection::Down(Instant::now()));
        Self(Arc::new(Instance { client: address.client(), timeout, state }))
    }

    /// Counts `cost` requests under `key`. Returns `None` if Redis does not respond in time.
    pub(super) async fn count(
        &self,
        key: &str,
        limit: u32,
        cost: u32,
        now: Timestamp,
    ) -> Option<Result<Quota, Quota>> {
        let mut command = cmd("EVAL");
        command.arg(COUNT_SCRIPT).arg(1).arg(key).arg(limit).arg(WINDOW_MS).arg(cost);
        let (is_within, count, left_ms) = self.query::<(u32, u32, i64)>(&command).await?;
        let quota = Quota {
            limit,
            remaining: limit.saturating_sub(count),
            reset_ms: now.millis().saturating_add(left_ms.clamp(0, WINDOW_MS)),
        };
        Some(if is_within == 1 { Ok(quota) } else { Err(quota) })
    }

    /// Checks counters of failures. Returns `None` if Redis does not respond in time.
    pub(super) async fn check(
        &self,
        counters: &[Counter],
        step: Step,
    ) -> Option<Result<(), Exhausted>> {
        let mut check = script(CHECK_SCRIPT, counters);
        check.arg(u8::from(step == Step::Take));
        for counter in counters {
            check.arg(counter.failures_max).arg(counter.window_ms);
        }
        let wait_ms = self.query::<i64>(&check).await?;
        Some(if wait_ms == 0 { Ok(()) } else { Err(Exhausted { wait_ms }) })
    }

    /// Subtracts one failure from each counter. Returns whether Redis responded in time.
    pub(super) async fn give_back(&self, counters: &[Counter]) -> bool {
        self.query::<i64>(&script(GIVE_BACK_SCRIPT, counters)).await.is_some()
    }

    /// Runs a command. Returns `None` if Redis does not respond in time.
    async fn query<T: FromRedisValue>(&self, command: &Cmd) -> Option<T> {
        let mut connection = self.current_connection()?;
        let reply = command.query_async::<T>(&mut connection);
        match tokio::time::timeout(self.0.timeout, reply).await {
            Ok(Ok(reply)) => Some(reply),
            Ok(Err(error)) => self.mark_down(&error.category()),
            Err(_) => self.mark_down(&"it does not respond in time"),
        }
    }

    /// Returns the connection, or starts to connect and returns `None`.
    fn current_connection(&self) -> Option<MultiplexedConnection> {
        let mut state = self.0.state();
        match &*state {
            RedisConnection::Up(connection) => return Some(connection.clone()),
            RedisConnection::Down(until) if *until <= Instant::now() => {}
            RedisConnection::Connecting | RedisConnection::Down(_) => return None,
        }
        *state = RedisConnection::Connecting;
        let shared = self.clone();
        tokio::spawn(async move { shared.connect().await });
        None
    }

    /// Marks the connection as down and returns `None`.
    fn mark_down<T>(&self, reason: &dyn fmt::Display) -> Option<T> {
        let mut state = self.0.state();
        // Only the first caller that notices logs it, and a connection may be up again.
        if matches!(*state, RedisConnection::Up(_)) {
            tracing::warn!(%reason, "Redis is unavailable; this process counts requests locally");
            *state = RedisConnection::Down(Instant::now() + RECONNECT_AFTER);
        }
        None
    }

    /// Connects, and returns whether that succeeded.
    pub(super) async fn connect(&self) -> bool {
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(CONNECT_TIMEOUT))
            .set_response_timeout(Some(CONNECT_TIMEOUT));
        let connected = self.0.client.get_multiplexed_async_connection_with_config(&config);
        let connected = tokio::time::timeout(CONNECT_TIMEOUT, connected).await;
        let mut state = self.0.state();
        if let Ok(Ok(connection)) = connected {
            tracing::info!("requests are counted in Redis, shared with other processes");
            *state = RedisConnection::Up(connection);
            return true;
        }
        tracing::debug!("Redis cannot be reached");
        // Another task may have connected in the meantime.
        if !matches!(*state, RedisConnection::Up(_)) {
            *state = RedisConnection::Down(Instant::now() + RECONNECT_AFTER);
        }
        false
    }
}

/// Returns a script call with the keys of the counters.
fn script(text: &str, counters: &[Counter]) -> Cmd {
    let mut script = cmd("EVAL");
    script.arg(text).arg(counters.len());
    for counter in counters {
        script.arg(format!("govern:failed:{:032x}", counter.key));
    }
    script
}

impl Instance {
    fn state(&self) -> MutexGuard<'_, RedisConnection> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
