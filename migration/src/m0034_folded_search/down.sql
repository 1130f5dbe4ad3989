drop index policies_by_text;
drop index forms_by_text;
alter table policy_versions drop column rule_texts_folded;
alter table users drop column display_name_folded;
alter table forms drop column title_folded;
alter table policies drop column name_folded;
drop function fold_rule_texts;
drop function fold_text;
