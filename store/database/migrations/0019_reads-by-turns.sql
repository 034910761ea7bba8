-- Up Migration

-- When an answer was last to show the payment, whether or not it did.
alter table payments
  add column asked_at timestamptz,
  -- When it was last to be read singly, whether or not it could be.
  add column tried_at timestamptz;

-- Given up as unknown, with a payment at the provider that may yet show how it ended.
create index payments_unknown_there on payments (account, swept_at)
  where state = 'unknown' and provider_payment_id is not null;
