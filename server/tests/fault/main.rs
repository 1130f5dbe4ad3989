//! What goes wrong on the way: processes that are killed, files that are left behind.

mod cluster;
