//! Tests of the use cases, each with its own database.

#[cfg(test)]
mod audit;
#[cfg(test)]
mod audit_filters;
#[cfg(test)]
mod audit_verify;
#[cfg(test)]
mod authentication;
#[cfg(test)]
mod capabilities;
#[cfg(test)]
mod capability_lineages;
#[cfg(test)]
mod compiled_rules;
#[cfg(test)]
mod connection_loss;
#[cfg(test)]
mod demo;
#[cfg(test)]
mod drafts;
#[cfg(test)]
mod fixtures;
#[cfg(test)]
mod groups;
#[cfg(test)]
mod inbox;
#[cfg(test)]
mod key_powers;
#[cfg(test)]
mod lifecycle_races;
#[cfg(test)]
mod lists;
#[cfg(test)]
mod log;
#[cfg(test)]
mod maker_checker;
#[cfg(test)]
mod model;
#[cfg(test)]
mod prelude;
#[cfg(test)]
mod proof;
#[cfg(test)]
mod races;
#[cfg(test)]
mod refusals;
#[cfg(test)]
mod rekor;
#[cfg(test)]
mod repeats;
#[cfg(test)]
mod rollups;
#[cfg(test)]
mod saved_filters;
#[cfg(test)]
mod saved_reviews;
#[cfg(test)]
mod search;
#[cfg(test)]
mod sequencer;
#[cfg(test)]
mod settings;
#[cfg(test)]
mod snapshots;
#[cfg(test)]
mod tenancy;
#[cfg(test)]
mod tenant_hierarchy;
#[cfg(test)]
mod time_zones;
#[cfg(test)]
mod trust;
