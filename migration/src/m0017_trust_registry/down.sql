drop table trust_registries;
