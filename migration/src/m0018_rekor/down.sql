drop table log_rekor;
