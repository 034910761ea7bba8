-- Up Migration

-- What no role may change any more, whatever its rights, and the moves that states may make. The tables of moves are
-- those of domain/payments/payment-state.ts and domain/runs/run-state.ts.

-- A hash that was missing may be filled in: rows of the version before have none.
create function refuse_change_of_content() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if (new.payment_id, new.run_id, new.account, new.row_number, new.line, new.row_ref, new.attempt, new.cells, new.instruction,
      new.row_hash, new.sell_currency, new.buy_currency, new.amount, new.amount_side, new.payee_fingerprint)
    is distinct from
     (old.payment_id, old.run_id, old.account, old.row_number, old.line, old.row_ref, old.attempt, old.cells, old.instruction,
      old.row_hash, old.sell_currency, old.buy_currency, old.amount, old.amount_side, old.payee_fingerprint)
    or (old.beneficiary_hash is not null and new.beneficiary_hash is distinct from old.beneficiary_hash)
    or (old.account_hash is not null and new.account_hash is distinct from old.account_hash)
    or (old.routing_hash is not null and new.routing_hash is distinct from old.routing_hash)
    or (old.name_hash is not null and new.name_hash is distinct from old.name_hash)
  then
    raise exception 'the content of a row cannot be changed: an edit is a new row with a new approval';
  end if;
  return new;
end $$;
create trigger payments_keep_their_content before update of payment_id, run_id, account, row_number, line, row_ref, attempt,
  cells, instruction, row_hash, sell_currency, buy_currency, amount, amount_side, payee_fingerprint, beneficiary_hash,
  account_hash, routing_hash, name_hash on payments for each row execute function refuse_change_of_content();

create function may_move_payment(p_from text, p_to text) returns boolean language sql immutable
set search_path = public, pg_temp as $$
  select p_to = any (case p_from
    when 'duplicate_suspect' then '{ready,excluded,cancelled}'::text[]
    when 'held' then '{ready,excluded,cancelled,unknown}'
    when 'ready' then '{quoted,held,duplicate_suspect,excluded,cancelled,rejected,unknown}'
    when 'quoted' then '{ready,created,held,processing,paid,rejected,failed,cancelled,unknown}'
    when 'created' then '{funded,processing,paid,rejected,failed,cancelled,unknown}'
    when 'funded' then '{processing,paid,rejected,failed,unknown}'
    when 'processing' then '{paid,rejected,failed,unknown}'
    when 'paid' then '{returned}'
    when 'unknown' then '{created,funded,processing,paid,rejected,failed,cancelled}'
    else '{}' end)
$$;

create function refuse_illegal_move() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if not may_move_payment(old.state, new.state) then
    raise exception 'a row that is % cannot become %', old.state, new.state;
  end if;
  -- By the rows that money was sent for, approvers are shown what is new, and the policy asks for more or less.
  if old.state in ('ready', 'held', 'duplicate_suspect')
    and new.state not in ('ready', 'held', 'duplicate_suspect', 'excluded', 'cancelled', 'rejected')
    and not exists (select from approved_payments where payment_id = new.payment_id and attempt = new.attempt) then
    raise exception 'nothing is sent of a row that nobody has approved';
  end if;
  -- What was set aside is released by people, through a function that runs with the owner's rights. A login has another
  -- name than the role that it is a member of.
  if new.state = 'ready' and old.state in ('duplicate_suspect', 'held') and not pg_has_role(current_user,
      (select relowner from pg_catalog.pg_class where oid = tg_relid), 'usage') then
    raise exception 'a row that is % is released by people alone', old.state;
  end if;
  return new;
end $$;
create trigger payments_move_legally before update of state on payments
  for each row when (old.state is distinct from new.state) execute function refuse_illegal_move();

create function may_move_run(p_from text, p_to text) returns boolean language sql immutable
set search_path = public, pg_temp as $$
  select p_to = any (case p_from
    when 'draft' then '{validating,cancelled}'::text[]
    when 'validating' then '{proposed,failed,cancelled}'
    when 'proposed' then '{in_approval,failed,scheduled,awaiting_funds,running,rejected,expired,cancelled}'
    when 'in_approval' then '{scheduled,awaiting_funds,running,rejected,expired,cancelled}'
    when 'scheduled' then '{awaiting_funds,running,paused,cancelled}'
    when 'awaiting_funds' then '{running,paused,cancelled}'
    when 'running' then '{paused,awaiting_funds,completed,partially_completed,failed,cancelled}'
    when 'paused' then '{running,completed,partially_completed,failed,cancelled}'
    when 'completed' then '{partially_completed}'
    when 'partially_completed' then '{running,completed}'
    when 'failed' then '{running,partially_completed,completed}'
    when 'cancelled' then '{}'
    else '{}' end)
$$;

create function refuse_illegal_run_move() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if not may_move_run(old.state, new.state) then
    raise exception 'a run that is % cannot become %', old.state, new.state;
  end if;
  -- Who decided, and when, is written by the functions alone that ask for a proof.
  if new.started_at is null
    and new.state in ('scheduled', 'awaiting_funds', 'running', 'paused', 'completed', 'partially_completed') then
    raise exception 'a run becomes % once it is approved', new.state;
  end if;
  if new.decided_at is null and new.state = 'rejected' then
    raise exception 'a run is rejected by people alone';
  end if;
  return new;
end $$;
create trigger runs_move_legally before update of state on runs
  for each row when (old.state is distinct from new.state) execute function refuse_illegal_run_move();

-- What was paid after a run's end is left out of its review.
create function refuse_early_end() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  raise exception 'a run that is % has not ended', new.state;
end $$;
create trigger runs_end_once_over before update of state, finished_at on runs
  for each row when (new.finished_at is not null
    and new.state in ('draft', 'validating', 'proposed', 'in_approval'))
  execute function refuse_early_end();

-- The outcome of a request is written once, and what took effect is not sent again.
create function refuse_other_outcome() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  raise exception 'the outcome of a request is written once';
end $$;
create trigger outcomes_are_written_once before update of outcome on provider_requests
  for each row when (old.outcome is not null and new.outcome is distinct from old.outcome) execute function refuse_other_outcome();
-- expands: the version before never begins a second one after the first took effect
create unique index one_that_took_effect on provider_requests (payment_id, attempt, operation)
  where exclusive and (outcome is null or outcome = 'took_effect');
