#![doc = include_str!("../README.md")]

#[macro_use]
mod table;

pub mod column;

pub mod alert;
pub mod api_key;
pub mod audit_checkpoint;
pub mod audit_event;
pub mod audit_personal;
pub mod capability_grant;
pub mod decision;
pub mod decision_rule;
pub mod form;
pub mod form_token;
pub mod key_digest;
pub mod member;
pub mod operator_key;
pub mod outcome;
pub mod policy;
pub mod policy_approval;
pub mod policy_group;
pub mod policy_snapshot;
pub mod policy_version;
pub mod public_id;
pub mod review_record;
pub mod review_submission;
pub mod saved_filter;
pub mod session_digest;
pub mod settings;
pub mod snapshot_policy;
pub mod tenant;
pub mod tenant_head;
pub mod user;
pub mod webhook_attempt;
pub mod webhook_delivery;
pub mod webhook_subscription;
