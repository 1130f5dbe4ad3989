alter table api_keys drop column sequence;
drop policy of_operator on tenants;
alter table tenants drop column sequence;
drop table operator_keys;
