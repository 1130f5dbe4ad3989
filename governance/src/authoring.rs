//! Policies, groups, authoring capabilities and settings.

pub mod capability;
pub mod group;
pub mod policy;
pub mod sample;
pub mod settings;
