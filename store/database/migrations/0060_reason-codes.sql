-- Up Migration

-- Two codes have the words of the others: of a row that is held because no money came in time, and of a case of which a step
-- failed for days. Entries of the audit trail keep the former words: they are sealed.
update payments set error_code = 'funds_not_received_in_time' where error_code = 'no_money_in_time';
update cases set state_reason = 'step_failed' where state_reason = 'gave_up';
