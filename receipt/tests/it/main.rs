//! Known answers, properties and attacks, in one binary.

#[cfg(test)]
mod audit_log;
#[cfg(test)]
mod bundles;
#[cfg(test)]
mod canonical_text;
#[cfg(test)]
mod chains;
#[cfg(test)]
mod envelopes;
#[cfg(test)]
mod json_suite;
#[cfg(test)]
mod keys;
#[cfg(test)]
mod merkle_trees;
#[cfg(test)]
mod notes;
#[cfg(test)]
mod oracle;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod redaction;
#[cfg(test)]
mod registries;
#[cfg(test)]
mod registry_changes;
#[cfg(test)]
mod reviews;
#[cfg(test)]
mod signatures;
#[cfg(test)]
mod signed_records;
#[cfg(test)]
mod tampering;
#[cfg(test)]
mod tiles;
#[cfg(test)]
mod vectors;
