//! The bare minimum beside which the service is measured: JSON in, the same JSON out.

use std::{
    io::{BufRead as _, BufReader},
    net::{Ipv4Addr, SocketAddr},
    process::{Command, Stdio},
};

use anyhow::{Context, Result};
use axum::{Json, Router, routing::post};
use serde_json::Value;
use tokio::net::TcpListener;

use crate::{clean, process};

/// The path that echoes.
pub(crate) const PATH: &str = "/echo";

/// Serves until the process is stopped, on as many threads as there are cores, as the service does.
/// The first line of the output is the address.
#[expect(clippy::print_stdout, reason = "how the parent hears of the address")]
pub(crate) fn serve() -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        println!("{}", listener.local_addr()?);
        let router =
            Router::new().route(PATH, post(|Json(body): Json<Value>| async { Json(body) }));
        Ok(axum::serve(listener, router).await?)
    })
}

/// Starts a process that serves; it is stopped with this one.
pub(crate) fn start() -> Result<SocketAddr> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("echo").stdin(Stdio::null()).stdout(Stdio::piped());
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn().context("starting the echo")?;
    let output = child.stdout.take();
    clean::later(move || process::stop(&mut child));
    let mut address = String::new();
    BufReader::new(output.context("the echo has no output")?).read_line(&mut address)?;
    address.trim().parse().context("the echo tells no address")
}
