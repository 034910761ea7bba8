-- A payment changes its state only as `may_move_payment` allows, is sent only if it was approved, and is released only by people.
-- Where the provider may have created it, without having shown it, it becomes `unknown` instead of a state in which it may be submitted
-- again: how an unknown one ended, the provider shows or two people say.
-- Called by: triggers.
create or replace function refuse_illegal_move() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if payment_was_never_paid(new.state) and not payment_is_unresolved(old.state) and new.provider_payment_id is null
    -- guard: never-ended-where-it-may-exist
    and may_have_been_created(new.payment_id, new.attempt) then
    new.state := 'unknown';
    new.ended_at := clock_timestamp();
    new.error_code := 'creation_uncertain';
    new.error_message := 'nothing more of it is sent, and the provider may have this payment already: find out there, have it '
      || 'cancelled, then resolve it';
  end if;
  -- From then on it is read again, with growing pauses.
  -- guard: unknown-since
  if payment_is_unresolved(new.state) then new.ended_at := coalesce(new.ended_at, clock_timestamp()); end if;
  -- guard: rows-move-legally
  if not may_move_payment(old.state, new.state)
    -- guard: resolved-rows-are-contradicted (2 lines)
    and not (payment_was_never_paid(old.state) and new.state = 'unknown' and exists (select from payment_manual_outcomes
      where payment_id = new.payment_id and resolved_as <> 'paid' and state = 'contradicted')) then
    raise exception 'a row that is % cannot become %', old.state, new.state;
  end if;
  -- By the rows that money was sent for, approvers are shown what is new, and the policy asks for more or less.
  if payment_needs_approval(new.state) and not payment_needs_approval(old.state)
    -- guard: sent-as-approved
    and not exists (select from approved_payments where payment_id = new.payment_id and attempt = new.attempt) then
    raise exception 'nothing is sent of a row that nobody has approved';
  end if;
  -- A suspected duplicate is released by people, through a function that runs with the owner's rights. A login has another
  -- name than the role that it is a member of.
  -- guard: released-by-people
  -- guard: released-by-no-login (2 lines)
  if new.state = 'ready' and payment_is_on_hold(old.state) and not pg_has_role(current_user,
      (select relowner from pg_catalog.pg_class where oid = tg_relid), 'usage') then
    raise exception 'a row that is % is released by people alone', old.state;
  end if;
  return new;
end $$;

create or replace trigger payments_move_legally before update of state on payments
  for each row when (old.state is distinct from new.state) execute function refuse_illegal_move();

-- The content of a row does not change: an edit is a new row with a new approval.
-- Called by: triggers.
create or replace function refuse_change_of_content() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if (new.payment_id, new.run_id, new.account, new.row_number, new.line, new.row_ref, new.attempt, new.instruction,
      -- guard: erased-with-its-key (2 lines)
      case when new.encrypted is null and not exists (select from run_keys where run_keys.run_id = old.run_id)
        then old.encrypted else new.encrypted end,
      -- guard: beneficiary-hash-kept
      new.row_hash, new.sell_currency, new.buy_currency, new.amount, new.amount_side, new.beneficiary_fingerprint, new.beneficiary_hash,
      -- guard: account-hash-kept
      new.account_hash, new.routing_hash,
      -- guard: name-hash-kept
      new.name_hash)
    is distinct from
     (old.payment_id, old.run_id, old.account, old.row_number, old.line, old.row_ref, old.attempt, old.instruction, old.encrypted,
      old.row_hash, old.sell_currency, old.buy_currency, old.amount, old.amount_side, old.beneficiary_fingerprint, old.beneficiary_hash,
      old.account_hash, old.routing_hash, old.name_hash)
  then
    -- guard: content-kept
    raise exception 'the content of a row cannot be changed: an edit is a new row with a new approval';
  end if;
  return new;
end $$;

create or replace trigger payments_keep_their_content before update of payment_id, run_id, account, row_number, line, row_ref, attempt,
  instruction, encrypted, row_hash, sell_currency, buy_currency, amount, amount_side, beneficiary_fingerprint, beneficiary_hash,
  account_hash, routing_hash, name_hash on payments for each row execute function refuse_change_of_content();
