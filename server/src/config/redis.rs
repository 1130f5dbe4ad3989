//! The address of the Redis instance in which processes share counters.

use std::str::FromStr;

use redis::Client;

/// The address of Redis. It may contain a password and is not displayed.
#[derive(Clone, derive_more::Debug)]
#[debug("RedisAddress(…)")]
pub struct RedisAddress(Client);

impl RedisAddress {
    /// Returns a client for this address. It is not connected.
    pub(crate) fn client(&self) -> Client {
        self.0.clone()
    }
}

impl FromStr for RedisAddress {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        // The error message of the crate may contain the password.
        let client = Client::open(text).map_err(|_| "must be like `redis://127.0.0.1:6379`")?;
        Ok(Self(client))
    }
}
