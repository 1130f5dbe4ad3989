drop table form_submissions, form_tokens, forms;
delete from public_ids where kind = 'form';
