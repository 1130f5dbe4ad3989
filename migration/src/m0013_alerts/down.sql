drop trigger create_decision_alerts on decisions;
drop trigger unassign_alerts on members;
drop table alerts;
drop function create_decision_alerts, unassign_alerts, severity_rank;
