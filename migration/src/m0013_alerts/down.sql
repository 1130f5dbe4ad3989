drop trigger create_decision_alerts on decisions;
drop table alerts;
drop function create_decision_alerts, severity_rank;
