//! Echo server: the baseline of the evaluation benchmark. It parses JSON and returns the same JSON.

use std::{
    io::{BufRead as _, BufReader},
    net::{Ipv4Addr, SocketAddr},
    process::{Command, Stdio},
};

use anyhow::{Context, Result};
use axum::{Json, Router, routing::post};
use harness::process;
use serde_json::Value;
use tokio::net::TcpListener;

use crate::cleanup;

/// The path of the echo endpoint.
pub(crate) const PATH: &str = "/echo";

/// Serves until the process is stopped, with as many threads as there are cores, like the service.
/// The first line of the output is the address.
#[expect(clippy::print_stdout, reason = "the parent process reads the address from stdout")]
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

/// Starts the echo server in a process of its own. Cleanup stops it when this process ends.
pub(crate) fn start() -> Result<SocketAddr> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("echo").stdin(Stdio::null()).stdout(Stdio::piped());
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn().context("starting the echo server")?;
    let output = child.stdout.take();
    cleanup::defer(move || process::stop(&mut child));
    let mut address = String::new();
    BufReader::new(output.context("the echo server has no output")?).read_line(&mut address)?;
    address.trim().parse().context("the echo server printed no address")
}
