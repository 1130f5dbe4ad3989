#![doc = include_str!("../README.md")]

mod http;
pub mod postgres;
pub mod process;
mod service;
mod tenant;

use std::{
    net::{Ipv4Addr, SocketAddr, TcpListener},
    os::unix::fs::PermissionsExt as _,
};

use anyhow::Result;
use tempfile::TempDir;

pub use self::{
    http::{Client, Connection, NUMBER, Request, Response, connect},
    service::{ProcessorTime, Service, wait_until_answered},
    tenant::{PASSWORD, Ratifier, Tenant},
};

/// Returns an address of this machine that no process uses.
pub fn unused_address() -> Result<SocketAddr> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?)
}

/// Creates a temporary directory that the user of the database, who is not root, can enter.
pub fn directory(prefix: &str) -> Result<TempDir> {
    let permissions = std::fs::Permissions::from_mode(0o755);
    Ok(tempfile::Builder::new().prefix(prefix).permissions(permissions).tempdir()?)
}
