#![doc = include_str!("../README.md")]
#![recursion_limit = "256"]

pub mod comment;
pub mod comparison;
pub mod editor;
pub mod group;
pub mod policy;
pub mod policy_form;
pub mod review;
pub mod version;
pub mod version_page;
