drop table form_submissions;
drop table form_tokens;
drop table forms;
delete from public_ids where kind = 'form';
