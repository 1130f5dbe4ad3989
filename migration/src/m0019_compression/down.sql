alter table decisions
    alter column record set compression default,
    alter column context set compression default,
    alter column integrity set compression default,
    alter column statement set compression default;
