drop policy of_person on tenants; -- it reads members
drop table settings;
drop table members;
drop table tenant_heads;
drop table tenants;
drop table users;
