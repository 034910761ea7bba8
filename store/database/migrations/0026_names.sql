-- Up Migration

-- The field's names, before the first release. Processes of the version before stop before this and are started again
-- with the new version: open runs go on.

-- renames: before the first release
alter table payments rename column settled_at to ended_at;
-- renames: before the first release
alter table payments rename column payee_fingerprint to beneficiary_fingerprint;
-- renames: before the first release
alter table payments rename column untold to notification_pending;
-- renames: before the first release
alter table held_balances rename to balance_snapshots;
-- renames: before the first release
alter index payments_by_payee rename to payments_by_beneficiary;
-- renames: before the first release
alter index payments_by_payee_and_amount rename to payments_by_beneficiary_and_amount;
-- renames: before the first release
alter index payments_untold rename to payments_with_pending_notification;

-- Views, indexes, rights and triggers follow a renamed column; the texts of functions do not.
do $$
declare
  v_function regprocedure;
  v_names constant text[][] := array[
    ['settled_at', 'ended_at'], ['payee_fingerprint', 'beneficiary_fingerprint'], ['untold', 'notification_pending'],
    ['held_balances', 'balance_snapshots']];
  v_text text;
begin
  for v_function in
    select pg_proc.oid::regprocedure from pg_proc join pg_namespace on pg_namespace.oid = pronamespace
    where nspname = 'public' and prosrc ~ '\m(settled_at|payee_fingerprint|untold|held_balances)\M'
  loop
    v_text := pg_get_functiondef(v_function);
    for at in 1 .. array_length(v_names, 1) loop
      v_text := regexp_replace(v_text, '\m' || v_names[at][1] || '\M', v_names[at][2], 'g');
    end loop;
    execute v_text;
  end loop;
end $$;

-- What was proposed keeps its content and gets the new names.
update runs set proposal = (proposal - 'setAside') || jsonb_build_object(
    'onHold', proposal -> 'setAside',
    'funds', (
      select coalesce(jsonb_agg((need - 'held' - 'claimed')
        || jsonb_build_object('balance', need -> 'held', 'committed', need -> 'claimed') order by position), '[]')
      from jsonb_array_elements(proposal -> 'funds') with ordinality as needs (need, position)))
where proposal ? 'setAside';
update payments set error_code = 'same_beneficiary_and_amount' where error_code = 'same_payee_and_amount';
