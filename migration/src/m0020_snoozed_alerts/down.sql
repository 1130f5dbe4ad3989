drop index alerts_snoozed;
