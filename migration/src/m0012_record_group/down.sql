drop function note_key_use;
drop function record_group;
