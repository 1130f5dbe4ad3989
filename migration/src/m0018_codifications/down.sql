drop table codifications;
