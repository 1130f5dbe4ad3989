//! `govern mcp`: a server of the Model Context Protocol, so that an agent can ask before it acts.
//!
//! Each tool is a call of `/v1` with the API key of the connection.

mod answer;
mod decide;
mod look_up;
mod message;
mod server;
mod stdio;
mod streamable_http;

use std::{fmt, net::SocketAddr};

use clap::Args;
use rmcp::ServiceExt as _;

use self::{server::GovernServer, stdio::Stdio};
use crate::{
    client::Client,
    exit::{Error, Exit},
    profile::ConnectionArgs,
};

/// The arguments of `govern mcp`.
#[derive(Clone, Debug, Args)]
pub struct McpArgs {
    /// The address of the HTTP server. Without it, the server uses standard input and output
    #[arg(long, value_name = "ADDRESS")]
    pub http: Option<SocketAddr>,
    /// The origin of web pages that may call the HTTP server, such as `http://localhost:6274`
    #[arg(long = "allow-origin", value_name = "ORIGIN", requires = "http")]
    pub allowed_origins: Vec<String>,
    /// The service.
    #[command(flatten)]
    pub connection: ConnectionArgs,
}

/// Serves until the client closes standard input, or forever over HTTP.
///
/// # Errors
/// Returns an error if the server cannot start.
pub async fn run(args: McpArgs) -> Result<Exit, Error> {
    let client = Client::new(&args.connection.connection()?)?;
    let server = GovernServer::new(client);
    if let Some(address) = args.http {
        return streamable_http::serve(server, address, args.allowed_origins).await;
    }
    let session = |error: &dyn fmt::Display| {
        Error::Input(format!("the MCP client started no session: {error}"))
    };
    let running = server.serve(Stdio::start()).await;
    let running = running.map_err(|error| session(&error))?;
    running.waiting().await.map_err(|error| session(&error))?;
    Ok(Exit::Success)
}
