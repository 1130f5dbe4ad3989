drop table saved_filters, public_ids, outcomes, decision_rules, decisions;
drop function index_decision_rules;
