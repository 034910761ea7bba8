-- Up Migration

-- Rows that pay the same account the same amount are found one by one, however many pay that account.
drop index payments_by_account;
create index payments_by_account on payments (account, account_hash, amount) where account_hash is not null;
-- Rows that name their beneficiary by the provider's id, and those of the version that kept no hash of the account.
create index payments_by_payee_and_amount on payments (account, payee_fingerprint, amount) where account_hash is null;

-- Lists and result files go through the rows of a run in the order of the file.
create index payments_by_line on payments (run_id, line);
