drop function record_group;
