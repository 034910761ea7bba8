-- Up Migration

-- How many rows of a run are in a state, kept by every statement that moves rows, so that nobody who watches a run counts
-- them. A statement adds lines with what it changed, and changes none: so nobody waits for anybody. The number is the sum
-- over the lines of one kind. Now and then a statement folds the lines of its run into few.
create table run_counts (
  count_id bigint generated always as identity primary key,
  -- No reference: checking it would wait for whoever holds the run.
  run_id uuid not null,
  state text not null,
  is_begun boolean not null,
  is_funded boolean not null,
  rows integer not null,
  -- Of them, those that were funded, or ended without that, by spans of five seconds: how fast a run goes.
  progressed integer not null,
  span_began_at timestamptz not null
);
create index run_counts_by_run on run_counts (run_id);

create function count_span() returns timestamptz language sql volatile
set search_path = public, pg_temp as $$
  select date_bin('5 seconds', clock_timestamp(), timestamptz 'epoch')
$$;

-- Lines that another transaction has in hand are left to it. Of spans long ago nobody asks.
create function fold_counts(p_run uuid) returns void language sql
set search_path = public, pg_temp as $$
  with taken as (
    delete from run_counts where count_id in (
      select count_id from run_counts where run_id = p_run limit 2000 for update skip locked)
    returning run_id, state, is_begun, is_funded, rows, progressed,
      case when span_began_at > clock_timestamp() - interval '2 minutes' then span_began_at else timestamptz 'epoch' end as span
  )
  insert into run_counts (run_id, state, is_begun, is_funded, rows, progressed, span_began_at)
  select run_id, state, is_begun, is_funded, sum(rows), sum(progressed), span from taken
  group by run_id, state, is_begun, is_funded, span having sum(rows) <> 0 or (sum(progressed) <> 0 and span <> 'epoch')
$$;

-- With the owner's rights, as who moves rows writes no counts. Triggers of updates that see all rows of a statement at once
-- are called for each, whatever it sets; most set nothing that counts.
create function count_rows() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into run_counts (run_id, state, is_begun, is_funded, rows, progressed, span_began_at)
    select run_id, state, workflow_begun_at is not null, funded_at is not null, count(*),
      count(*) filter (where coalesce(funded_at, settled_at) is not null), count_span()
    from after_it group by 1, 2, 3, 4;
  elsif tg_op = 'DELETE' then
    insert into run_counts (run_id, state, is_begun, is_funded, rows, progressed, span_began_at)
    select run_id, state, workflow_begun_at is not null, funded_at is not null, -count(*), 0, count_span()
    from before_it group by 1, 2, 3, 4;
  else
    insert into run_counts (run_id, state, is_begun, is_funded, rows, progressed, span_began_at)
    select run_id, state, is_begun, is_funded, sum(n), sum(case when is_past then n else 0 end), count_span()
    from (
      select run_id, state, workflow_begun_at is not null as is_begun, funded_at is not null as is_funded,
        coalesce(funded_at, settled_at) is not null as is_past, 1 as n from after_it
      union all
      select run_id, state, workflow_begun_at is not null, funded_at is not null,
        coalesce(funded_at, settled_at) is not null, -1 from before_it) as versions
    group by 1, 2, 3, 4 having sum(n) <> 0 or sum(case when is_past then n else 0 end) <> 0;
    if found and random() < 0.02 then
      perform fold_counts(run_id) from (select distinct run_id from after_it) as runs;
    end if;
  end if;
  return null;
end $$;

create trigger added_rows_are_counted after insert on payments
  referencing new table as after_it for each statement execute function count_rows();
create trigger moved_rows_are_counted after update on payments
  referencing old table as before_it new table as after_it for each statement execute function count_rows();
create trigger removed_rows_are_counted after delete on payments
  referencing old table as before_it for each statement execute function count_rows();
-- Whoever gets past the triggers that guard rows does not get past the count of them.
alter table payments enable always trigger added_rows_are_counted, enable always trigger moved_rows_are_counted,
  enable always trigger removed_rows_are_counted;

-- From here on nobody else changes a row until all this holds.
insert into run_counts (run_id, state, is_begun, is_funded, rows, progressed, span_began_at)
select run_id, state, workflow_begun_at is not null, funded_at is not null, count(*), 0, timestamptz 'epoch'
from payments group by 1, 2, 3, 4;

-- As before, from the counts, but for the rows with an open request: those are few, and found by their requests.
create or replace function stop_counts(p_run uuid) returns jsonb
language sql stable security definer set search_path = public, pg_temp as $$
  with open as materialized (
    select distinct payment_id from provider_requests where exclusive and outcome is null
  ), under_way as (
    select state, funded_at is not null as is_funded from payments join open using (payment_id) where run_id = p_run
  ), others as (
    select state, is_funded, rows from run_counts where run_id = p_run union all
    select state, is_funded, -1 from under_way
  )
  select jsonb_build_object(
    'sent', coalesce(sum(rows) filter (where is_funded or state in ('processing', 'paid', 'returned')), 0),
    'created', coalesce(sum(rows) filter (where not is_funded and state in ('created', 'awaiting_funds')), 0),
    'notSent', coalesce(sum(rows) filter (where state in ('ready', 'quoted', 'held', 'duplicate_suspect')), 0),
    'underWay', (select count(*) from under_way))
  from others
$$;
