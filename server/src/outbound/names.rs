//! Name resolution by the operating system.

use std::{collections::BTreeSet, io, net::IpAddr};

use governance::notify::outbound_policy::{AddressError, Resolver};

/// The resolver of the operating system.
#[derive(Clone, Copy, Debug)]
pub struct SystemNames;

/// The message of a temporary resolver error, for which a retry may help. The standard library reports it
/// only as text.
const TEMPORARY_FAILURE: &str = "Temporary failure";

#[async_trait::async_trait]
impl Resolver for SystemNames {
    async fn addresses(&self, host: &str) -> Result<Vec<IpAddr>, AddressError> {
        let sockets =
            tokio::net::lookup_host((host, 0)).await.map_err(|error| address_error(&error))?;
        // The result has each address once per socket type.
        let mut known = BTreeSet::new();
        Ok(sockets.map(|socket| socket.ip()).filter(|address| known.insert(*address)).collect())
    }
}

fn address_error(error: &io::Error) -> AddressError {
    if error.to_string().contains(TEMPORARY_FAILURE) {
        AddressError::LookupFailed
    } else {
        AddressError::Unresolved
    }
}
