#![doc = include_str!("../README.md")]

pub mod codec;
#[cfg(feature = "ssr")]
pub mod cookie;
#[cfg(feature = "ssr")]
pub mod flash;
pub mod problem;
#[cfg(feature = "ssr")]
pub mod request;
pub mod text;
pub mod ui;
