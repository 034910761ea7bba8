-- Up Migration

-- What the inbox looks for, each time that anything was recorded: days that are not signed, and runs that ended lately.
create index unsigned_book_days on book_days (account, day) where state = 'matched';
create index runs_by_end on runs (finished_at) where finished_at is not null;

-- What the inbox and the metrics count of them, without reading those that have ended.
create index open_virtual_accounts on virtual_accounts (account) where state in ('asked', 'pending', 'unknown');
create index missed_occurrences on schedule_occurrences (ended_at) where ended = 'missed';
