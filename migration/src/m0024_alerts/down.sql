drop trigger alerts_are_raised on decisions;
drop function raise_alerts;
drop function severity_rank;
drop table alerts;
