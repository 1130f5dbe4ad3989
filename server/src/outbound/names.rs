//! Names as this machine knows them: its own list, and the servers that it asks.

use std::{collections::BTreeSet, io, net::IpAddr};

use governance::destination::{Fault, Names};

/// The machine's own way from names to addresses.
#[derive(Clone, Copy, Debug)]
pub struct SystemNames;

/// What the machine says when no server has answered, and another try may help. The standard library
/// tells it in words only.
const NO_SERVER: &str = "Temporary failure";

#[async_trait::async_trait]
impl Names for SystemNames {
    async fn addresses(&self, host: &str) -> Result<Vec<IpAddr>, Fault> {
        let found = tokio::net::lookup_host((host, 0)).await.map_err(|error| fault(&error))?;
        // One address comes once for each kind of socket.
        let mut seen = BTreeSet::new();
        Ok(found.map(|socket| socket.ip()).filter(|address| seen.insert(*address)).collect())
    }
}

fn fault(error: &io::Error) -> Fault {
    if error.to_string().contains(NO_SERVER) { Fault::Unanswered } else { Fault::Unresolved }
}
