#![doc = include_str!("../README.md")]
#![expect(
    clippy::unused_async,
    reason = "a server function is async even when it waits for nothing"
)]
#![recursion_limit = "256"]

pub mod audit;
pub mod capability;
pub mod identity_provider;
pub mod key;
pub mod member;
pub mod reset;
pub mod second_factor;
pub mod settings;
pub mod setup;
pub mod sign_in;
