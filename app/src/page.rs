//! The pages, one module each.

pub(crate) mod act;
pub(crate) mod audit;
pub(crate) mod confirm;
pub(crate) mod decision;
pub(crate) mod decisions;
pub(crate) mod edit;
pub(crate) mod group;
pub(crate) mod groups;
pub(crate) mod help;
pub(crate) mod home;
pub(crate) mod keys;
pub(crate) mod login;
pub(crate) mod members;
pub(crate) mod missing;
pub(crate) mod outcome;
pub(crate) mod overview;
pub(crate) mod params;
pub(crate) mod policies;
pub(crate) mod policy;
pub(crate) mod policy_form;
pub(crate) mod receipt;
pub(crate) mod revoke;
pub(crate) mod settings;
pub(crate) mod setup;
pub(crate) mod tried;
pub(crate) mod version;
