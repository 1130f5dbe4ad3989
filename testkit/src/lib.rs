#![doc = include_str!("../README.md")]

pub use testkit_macros::test;

pub mod database;
