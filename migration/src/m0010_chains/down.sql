drop table chain_seals, chain_links, chains;
