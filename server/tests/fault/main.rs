//! Faults of the private database cluster: killed processes and leftover files.

mod cluster;
