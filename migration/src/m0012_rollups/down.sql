drop table latency_hours, rule_hours, policy_hours, decision_hours, rollup_cursors;
