drop table login_codes;
