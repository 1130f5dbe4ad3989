//! Tests of the use cases, each with its own database.

#![cfg(test)]

mod audit;
mod audit_filters;
mod audit_verify;
mod authentication;
mod capabilities;
mod capability_lineages;
mod compiled_rules;
mod connection_loss;
mod demo;
mod drafts;
mod fixtures;
mod groups;
mod inbox;
mod key_powers;
mod lifecycle_races;
mod lists;
mod log;
mod maker_checker;
mod model;
mod prelude;
mod proof;
mod races;
mod refusals;
mod rekor;
mod repeats;
mod rollups;
mod saved_filters;
mod saved_reviews;
mod search;
mod sequencer;
mod settings;
mod snapshots;
mod tenancy;
mod tenant_hierarchy;
mod time_zones;
mod trust;
