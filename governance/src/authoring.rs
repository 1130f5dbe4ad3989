//! Policies, groups, authoring capabilities and settings.

pub mod capability;
pub mod group;
pub mod identity_provider;
pub mod policy;
pub mod sample;
pub mod settings;
