-- Counts the rows of each run by state. It has the owner's rights, as who moves rows writes no counts. A trigger of updates that
-- sees all rows of a statement at once is called for each update, whatever it sets; most set nothing that counts.
-- Called by: triggers.
create or replace function count_rows() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into run_counts (run_id, state, is_begun, is_funded, rows, progressed, span_began_at)
    select run_id, state, workflow_begun_at is not null, funded_at is not null, count(*),
      count(*) filter (where coalesce(funded_at, ended_at) is not null), count_span()
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
        coalesce(funded_at, ended_at) is not null as is_past, 1 as n from after_it
      union all
      select run_id, state, workflow_begun_at is not null, funded_at is not null,
        coalesce(funded_at, ended_at) is not null, -1 from before_it) as versions
    group by 1, 2, 3, 4 having sum(n) <> 0 or sum(case when is_past then n else 0 end) <> 0;
    if found and random() < 0.02 then
      perform fold_counts(run_id) from (select distinct run_id from after_it) as runs;
    end if;
  end if;
  return null;
end $$;

create or replace trigger added_rows_are_counted after insert on payments
  referencing new table as after_it for each statement execute function count_rows();
alter table payments enable always trigger added_rows_are_counted;
create or replace trigger moved_rows_are_counted after update on payments
  referencing old table as before_it new table as after_it for each statement execute function count_rows();
alter table payments enable always trigger moved_rows_are_counted;
create or replace trigger removed_rows_are_counted after delete on payments
  referencing old table as before_it for each statement execute function count_rows();
alter table payments enable always trigger removed_rows_are_counted;

-- The current span of 5 seconds, by which changes of rows are counted.
-- Called by: other functions.
create or replace function count_span() returns timestamptz language sql volatile
set search_path = public, pg_temp as $$
  select date_bin('5 seconds', clock_timestamp(), timestamptz 'epoch')
$$;

-- Adds up the lines of a run's counts. Lines that another transaction has locked are left to it; spans of more than two minutes
-- ago become one.
-- Called by: other functions.
create or replace function fold_counts(p_run uuid) returns void language sql
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
