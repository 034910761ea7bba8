-- Where the policy would ask for other steps if what the maker of a run submitted for its account within seven days before or after it
-- were one run, and what these runs pay to one bank account one row. `p_left_out`: states of runs that count for nothing.
-- Called by: server.
create or replace function splits_of_run(p_run uuid, p_left_out text[])
returns table (currency text, rule text, rule_together text, total numeric, runs uuid[])
language sql stable security definer set search_path = public, pg_temp as $$
  with counted as (
    select other.run_id, other.submitted_at, payments.amount_currency as currency, payments.amount, paid_to
    from runs mine join runs other on other.submitted_by = mine.submitted_by and other.account = mine.account
      and other.submitted_at between mine.submitted_at - interval '7 days' and mine.submitted_at + interval '7 days'
      and (other.run_id = p_run or other.state <> all(p_left_out))
    join payments on payments.run_id = other.run_id
      and case when other.run_id = p_run then payments.state = 'ready' else not payment_was_never_paid(payments.state) end
    cross join lateral beneficiary_of(payments)
    where mine.run_id = p_run
  ), by_account as (
    select currency, paid_to, sum(amount) as amount from counted group by currency, paid_to having bool_or(run_id = p_run)
  ), compared as (
    select facts ->> 'currency' as currency, together.total,
      fitting_rule(policy, facts) as rule,
      fitting_rule(policy, facts || jsonb_build_object('total', together.total, 'largest', together.largest)) as rule_together
    from facts_of_run(p_run) as facts, current_policy() as policy, lateral (
      select (select sum(amount) from counted where counted.currency = facts ->> 'currency') as total,
        (select max(amount) from by_account where by_account.currency = facts ->> 'currency') as largest) as together
  )
  select compared.currency, rule ->> 'name', rule_together ->> 'name', compared.total, array(
    select run_id from counted where counted.currency = compared.currency and run_id <> p_run
    group by run_id, submitted_at order by submitted_at desc, run_id)
  from compared where rule -> 'steps' is distinct from rule_together -> 'steps'
  order by compared.currency
$$;
