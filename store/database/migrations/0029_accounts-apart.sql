-- Up Migration

-- An id that the provider gives is unique within an account: two accounts, perhaps of two providers, may both have it.
-- expands: the version before reads payments of its one account by it
alter table payments drop constraint payments_provider_payment_id_key;
-- expands: less than what held before
create unique index payments_by_provider_payment on payments (account, provider_payment_id);
