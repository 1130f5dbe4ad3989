//! Handlers of `/v1`. Each one extracts its input, calls a use case and wraps the result.

pub mod alerts;
pub mod analytics;
pub mod api_keys;
pub mod audit;
pub mod capabilities;
pub mod chains;
pub mod decisions;
pub mod export;
pub mod forms;
pub mod groups;
pub mod health;
pub mod log;
pub mod members;
pub mod policies;
pub mod public;
pub mod reviews;
pub mod session;
pub mod settings;
pub mod snapshots;
pub mod stream;
pub mod tenants;
pub mod versions;
pub mod webhooks;
