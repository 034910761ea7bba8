-- Up Migration

-- When the provider forbade a request for a payment (403): about the credentials, or about the payment, as what it answers
-- to others in between shows.
create table forbidden_answers (
  payment_id uuid not null references payments,
  operation text not null,
  answered_at timestamptz not null default clock_timestamp()
);
create index forbidden_answers_of_a_payment on forbidden_answers (payment_id, operation, answered_at);
