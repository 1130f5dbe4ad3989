//! HTTP/1.1 over keep-alive connections, byte by byte.

mod client;
mod connection;
mod request;
mod response;

pub use self::{
    client::{Client, connect},
    connection::Connection,
    request::{NUMBER, Request},
    response::Response,
};
