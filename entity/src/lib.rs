#![doc = include_str!("../README.md")]

pub mod column;

pub mod api_key;
pub mod audit_checkpoint;
pub mod audit_event;
pub mod audit_personal;
pub mod decision;
pub mod decision_rule;
pub mod key_digest;
pub mod member;
pub mod operator_key;
pub mod outcome;
pub mod policy;
pub mod policy_group;
pub mod policy_snapshot;
pub mod policy_version;
pub mod public_id;
pub mod saved_filter;
pub mod session_digest;
pub mod settings;
pub mod snapshot_policy;
pub mod tenant;
pub mod tenant_head;
pub mod user;
