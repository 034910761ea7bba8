-- Up Migration

-- A search of all runs by the whole payment reference, in capitals or not. No hash index: all rows of a file may have the same
-- reference, and each of these would take longer than the one before.
create index payments_by_payment_reference on payments (account, lower(instruction ->> 'paymentReference'));
