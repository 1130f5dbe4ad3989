//! What the pages show, as plain structs: made on the server, carried to the browser, tested without
//! either.

pub mod account;
pub mod acts;
pub mod audit;
pub mod capability;
pub mod clause;
pub mod decision;
pub mod editor;
pub mod form;
pub mod frame;
pub mod group;
pub mod inbox;
pub mod kept;
pub mod key;
pub mod member;
pub mod outcome;
pub mod overview;
pub mod people;
pub mod policy;
pub mod policy_form;
pub mod query;
pub mod receipt;
pub mod review;
pub mod settings;
pub mod tried;
pub mod version;
