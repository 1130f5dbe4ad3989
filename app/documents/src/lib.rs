#![doc = include_str!("../README.md")]
#![recursion_limit = "256"]

pub mod api_reference;
pub mod dev_mail;
pub mod documentation;
pub mod error_page;
pub mod public_form;
pub mod sign_out;
