//! Backups: one archive of the database, the keys and the log guard.
//!
//! The archive is a tar file whose first entries are the manifest with the digests of the others, and its signature by a
//! key that is derived from the secret key of the service. The database is a dump by `pg_dump`: one consistent snapshot that any PostgreSQL of the same or a newer version can restore, also on
//! another machine. Secret parts are encrypted by the program `age` for recipients, so the machine that writes backups
//! cannot read them.

mod archive;
mod programs;
mod secret_files;

pub use self::{
    archive::{Archive, ArchiveWriter, Manifest, Part, SCHEMA, Trust},
    programs::{DumpProgram, Recipients, decrypt, encrypt, restore_database},
    secret_files::SecretFiles,
};

/// The part with the key files: a tar file.
pub const KEYS: &str = "keys.tar";

/// The part with the log guard.
pub const GUARD: &str = "log-memory.json";

/// The part with the dump of the database, in the custom format of `pg_dump`.
pub const DATABASE: &str = "database.dump";
