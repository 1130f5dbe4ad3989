drop table capability_grants;
