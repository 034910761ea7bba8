-- Up Migration

-- The rows of a run that are still to be begun or to be sent, in the order of the file. What was sent leaves it, so a
-- look into it costs the same at the end of a long run as at its beginning.
create index payments_to_be_sent on payments (run_id, row_number) where state in ('ready', 'quoted', 'created');
