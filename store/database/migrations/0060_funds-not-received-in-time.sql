-- Up Migration

-- The code of a row that is held because no money came in time has the words of the other codes. Entries of the audit trail
-- keep the former word: they are sealed.
update payments set error_code = 'funds_not_received_in_time' where error_code = 'no_money_in_time';
