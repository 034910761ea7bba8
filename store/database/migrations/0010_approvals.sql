-- Up Migration

-- What was approved, by whom, and the content that was frozen by it.

-- Each decision of a person on a run, and on which content.
create table approvals (
  approval_id uuid primary key default gen_random_uuid(),
  run_id uuid not null references runs,
  decision text not null check (decision in ('approved', 'rejected', 'withdrawn')),
  -- Which step of the policy it satisfied, from 1; null for what is no approval.
  step integer,
  content_hash text not null,
  user_id uuid not null references users,
  role text not null,
  -- Null: carried over from the version that kept approvals with the run alone.
  token_id uuid references api_tokens,
  remark_id uuid references remarks,
  decided_at timestamptz not null default clock_timestamp()
);
create unique index one_person_counts_once on approvals (run_id, user_id, content_hash) where decision = 'approved';
create index approvals_by_time on approvals (decided_at);
-- Whoever looks at a run, or follows it, is told what was written with the decision.
create index approvals_by_run on approvals (run_id, decided_at);

-- The rows of approved runs as they were approved: nothing is created or funded that is not here, unchanged.
create table approved_payments (
  payment_id uuid not null references payments,
  attempt integer not null,
  run_id uuid not null references runs,
  row_hash text not null,
  -- Null: carried over; the row's hash covers the beneficiary as well.
  beneficiary_hash text,
  -- Supporting files by name, each with the SHA-256 of its bytes in hex.
  files jsonb not null,
  primary key (payment_id, attempt)
);
create index approved_payments_by_run on approved_payments (run_id);

create function refuse_change_of_record() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  raise exception '% can only be added to', tg_table_name;
end $$;
create trigger approvals_are_append_only before update or delete or truncate on approvals
  for each statement execute function refuse_change_of_record();
create trigger approved_payments_are_append_only before update or delete or truncate on approved_payments
  for each statement execute function refuse_change_of_record();

alter table payments
  -- Hash of everything that is known of the beneficiary, or of the provider's id of it.
  add column beneficiary_hash text,
  -- Hash of the bank account alone, however its holder is spelt.
  add column account_hash text,
  -- Hash of the way to it: its holder, its codes and those of its bank, and the bank in between.
  add column routing_hash text,
  -- Hash of the beneficiary's name.
  add column name_hash text,
  -- What a worker has sealed with the provider's secret: that the quote, and the payment at the provider, are this row's.
  add column quote_seal text,
  add column payment_seal text;
create index payments_by_account on payments (account, account_hash) where account_hash is not null;
create index payments_by_name on payments (account, name_hash) where name_hash is not null;
alter table beneficiaries add column seal text;
alter table file_uploads add column seal text;

-- The rows of a run that would be paid, as an approval covers them.
create function run_content(p_run uuid)
returns table (row_number integer, payment_id uuid, attempt integer, row_hash text, beneficiary_hash text, files jsonb)
language sql stable security definer set search_path = public, pg_temp as $$
  select payments.row_number, payments.payment_id, payments.attempt, payments.row_hash, payments.beneficiary_hash,
    case when jsonb_array_length(instruction -> 'supportingFiles') = 0 then '{}'::jsonb else (
      select coalesce(jsonb_object_agg(named.name, supporting_files.sha256), '{}')
      from jsonb_array_elements_text(instruction -> 'supportingFiles') as named (name)
      left join supporting_files on supporting_files.run_id = p_run and supporting_files.name = named.name) end
  from payments where payments.run_id = p_run and state = 'ready'
$$;

-- SHA-256, hex, over every row to be paid, in the order of the file. jsonb writes its keys in one order.
create function run_content_hash(p_run uuid) returns text
language sql stable security definer set search_path = public, pg_temp as $$
  select encode(sha256(convert_to(coalesce(string_agg(
    concat_ws(' ', payment_id, attempt, row_hash, beneficiary_hash, files), e'\n' order by row_number), ''), 'UTF8')), 'hex')
  from run_content(p_run)
$$;

-- Until the first run was ever approved, one administrator may set up alone.
create function is_setting_up() returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select not exists (select from approvals where decision = 'approved')
    and not exists (select from runs where started_at is not null)
$$;

-- All steps of several lists, each as often as the list asks for it that asks most. One list keeps its order. Of several,
-- those steps come first that the fewest people may take, so that nobody takes another's and then lacks for their own.
create function merge_steps(p_lists jsonb) returns jsonb language sql immutable set search_path = public, pg_temp as $$
  with lists as (
    select steps, min(n) as list, count(*) over () as count
    from jsonb_array_elements(p_lists) with ordinality as given (steps, n) group by steps
  ), asked as (
    select step, list, position, count, row_number() over (partition by list, step order by position) as nth
    from lists cross join jsonb_array_elements(steps) with ordinality as each (step, position)
  ), needed as (
    select step, max(count) as count, min(array[list, position]) as place from asked group by step, nth
  )
  select coalesce(jsonb_agg(step order by case when count > 1 then jsonb_array_length(step -> 'logins') end nulls last, place),
    '[]') from needed
$$;

-- The steps that the policy asks for: each currency is judged by the first rule that fits it, and the steps of all these
-- rules are needed. Null: for some currency there is no rule, so that the run cannot be approved.
create function steps_for(p_run uuid, p_policy jsonb) returns jsonb
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  v_sum record;
  v_rule jsonb;
  v_fitting jsonb;
  v_lists jsonb := '[]';
begin
  for v_sum in
    select case amount_side when 'sell' then sell_currency else buy_currency end as currency,
      mine.account, sum(amount) as total, max(amount) as largest,
      -- The account of a beneficiary that is named by the provider's id is known where the provider has shown it.
      bool_or(not exists (select from paid_to_account(mine.account, coalesce(mine.account_hash, named.account_hash)) earlier
          where earlier.run_id <> mine.run_id)
        and not exists (select from paid_to_beneficiary(mine.account, mine.instruction #>> '{beneficiary,beneficiaryId}') earlier
          where earlier.run_id <> mine.run_id)) as has_new
    from payments mine
    left join provider_beneficiaries named on mine.account_hash is null and named.account = mine.account
      and named.beneficiary_id = mine.instruction #>> '{beneficiary,beneficiaryId}'
    where mine.run_id = p_run and state = 'ready'
    group by 1, 2 order by 1, 2
  loop
    v_fitting := null;
    for v_rule in select value from jsonb_array_elements(p_policy -> 'rules') loop
      if (v_rule #> '{when,currencies}' is null or v_rule #> '{when,currencies}' ? v_sum.currency)
        and (v_rule #> '{when,accounts}' is null or v_rule #> '{when,accounts}' ? v_sum.account)
        and v_sum.total >= coalesce((v_rule #>> '{when,totalAtLeast}')::numeric, 0)
        and v_sum.largest >= coalesce((v_rule #>> '{when,largestAtLeast}')::numeric, 0)
        and (not coalesce((v_rule #>> '{when,newBeneficiary}')::boolean, false) or v_sum.has_new)
      then
        v_fitting := v_rule -> 'steps';
        exit;
      end if;
    end loop;
    if v_fitting is null then return null; end if;
    v_lists := v_lists || jsonb_build_array(v_fitting);
  end loop;
  return merge_steps(v_lists);
end $$;

create function satisfies_step(p_user uuid, p_step jsonb) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select case
    when p_step ? 'logins' then (select p_step -> 'logins' ? login from users where user_id = p_user)
    else exists (select from user_roles where user_id = p_user and role = p_step ->> 'role') end
$$;
