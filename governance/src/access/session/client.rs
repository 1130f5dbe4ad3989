//! The client of a sign-in.

use std::net::IpAddr;

use crate::base::{network, prelude::*};

/// The client of a sign-in: its address and its program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Client {
    pub address: Option<IpAddr>,
    /// The value of its `User-Agent` header.
    pub user_agent: Option<String>,
}

/// The maximum number of stored characters of a user agent.
const USER_AGENT_MAX: usize = 300;

impl Client {
    /// Creates a client from its address and the text of its `User-Agent` header.
    pub fn new(address: Option<IpAddr>, user_agent: Option<&str>) -> Self {
        let shorten = |text: &str| {
            text.chars().filter(|c| !c.is_control()).take(USER_AGENT_MAX).collect::<String>()
        };
        let user_agent = user_agent.map(shorten).filter(|text| !text.is_empty());
        Self { address, user_agent }
    }

    /// Returns the network block of the address.
    pub(crate) fn network(&self) -> Option<String> {
        self.address.map(network::block_text)
    }
}
