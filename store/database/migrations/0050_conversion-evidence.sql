-- Up Migration

-- Before a conversion is funded once more, or called lapsed, the history is looked at again, whoever says so.

alter table conversion_orders
  -- What the history said of its debit when it was looked at last, and when that read began.
  add column debit_evidence text check (debit_evidence in ('seen', 'absent', 'incomplete', 'contested')),
  add column debit_looked_for_at timestamptz,
  -- When a read began that proved that no request so far has taken effect, or two people said so.
  add column unfunded_at timestamptz;
-- Two people say that the bought money has come, in another form than the exact amount.
-- expands: the next statement allows one outcome more
alter table conversion_resolutions drop constraint conversion_resolutions_outcome_check;
-- expands: it allows all that it did, and one outcome more
alter table conversion_resolutions add constraint conversion_resolutions_outcome_check
  check (outcome in ('never_created', 'funded', 'fund_again', 'lapsed', 'settled'));
create index open_conversion_requests on conversion_requests (order_id) where outcome is null and operation <> 'quote';

-- An order that is held, or to be funded again, is funded when the debit of an earlier request comes late.
create or replace function may_move_conversion(p_from text, p_to text, p_has_conversion boolean) returns boolean language sql immutable
set search_path = public, pg_temp as $$
  select case p_from
    when 'proposed' then p_to in ('in_approval', 'approved', 'declined', 'expired', 'skipped', 'missed', 'held')
    when 'in_approval' then p_to in ('approved', 'declined', 'expired')
    when 'approved' then p_to in ('quoted', 'declined', 'expired', 'skipped', 'held')
    when 'quoted' then p_to in ('approved', 'in_approval', 'committed', 'declined', 'expired', 'skipped', 'held')
    when 'committed' then p_to in ('approved', 'created', 'completed', 'settled', 'skipped', 'held', 'unknown')
    when 'created' then p_to in ('funding', 'funded', 'completed', 'settled', 'held', 'lapsed', 'unknown')
    when 'funding' then p_to in ('funded', 'completed', 'settled', 'held', 'lapsed', 'unknown')
    when 'funded' then p_to in ('completed', 'settled', 'unknown')
    when 'completed' then p_to in ('settled', 'unknown')
    when 'held' then p_to in ('approved', 'declined', 'expired', 'funding', 'funded', 'completed', 'settled', 'lapsed', 'unknown')
    when 'lapsed' then p_to in ('completed', 'settled')
    when 'unknown' then p_to in ('declined', 'created', 'held', 'funded', 'completed', 'settled', 'lapsed')
    else false
  end
  -- There is no call that cancels a conversion: an order that has one never returns to a state without.
  and case
    when p_to in ('proposed', 'in_approval', 'approved', 'quoted', 'declined', 'expired', 'skipped', 'missed') then not p_has_conversion
    when p_to in ('created', 'funding', 'funded', 'completed', 'settled', 'lapsed') then p_has_conversion
    else true
  end
$$;

-- Whatever login writes: terms stay, states move as the table says, and a process makes no decision of people. Money is
-- committed, and a request to fund begun, by functions alone. A process may find out as well
-- that an unknown order was funded, and which conversion it has.
create or replace function refuse_illegal_conversion() returns trigger language plpgsql
set search_path = public, pg_temp as $$
declare
  v_is_owner boolean := exists (select from pg_class where oid = tg_relid and pg_has_role(current_user, relowner, 'USAGE'));
begin
  if (new.order_id, new.account, new.sell_currency, new.buy_currency, new.fixed_side, new.amount, new.least_buy_per_sell,
      new.most_sell_per_buy, new.max_cost_bps, new.cap, new.expires_at, new.order_hash, new.approval_covers, new.placed_by)
    is distinct from (old.order_id, old.account, old.sell_currency, old.buy_currency, old.fixed_side, old.amount,
      old.least_buy_per_sell, old.most_sell_per_buy, old.max_cost_bps, old.cap, old.expires_at, old.order_hash,
      old.approval_covers, old.placed_by) then
    raise exception 'an order keeps its terms' using errcode = 'check_violation';
  end if;
  if old.conversion_id is not null and new.conversion_id is distinct from old.conversion_id then
    raise exception 'an order keeps its conversion' using errcode = 'check_violation';
  end if;
  if old.state = new.state then return new; end if;
  if not may_move_conversion(old.state, new.state, new.conversion_id is not null) then
    raise exception 'an order is not moved from % to %', old.state, new.state using errcode = 'check_violation';
  end if;
  if not v_is_owner and (new.state in ('committed', 'funding', 'declined')
    or new.state = 'approved' and old.state in ('in_approval', 'held')
    or new.state in ('created', 'lapsed') and old.state = 'unknown' and old.conversion_id is not null) then
    raise exception 'a process does not move an order from % to %', old.state, new.state using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;

-- What was proposed of an order on hold is overtaken when payrun has found out otherwise.
create function close_overtaken_resolutions() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v record;
begin
  for v in
    update conversion_resolutions set state = 'contradicted', closed_at = clock_timestamp()
    where order_id = new.order_id and state = 'proposed'
      -- That it was completed is what they say as well.
      and not (outcome = 'settled' and new.state = 'completed')
    returning resolution_id, outcome
  loop
    perform note('worker', 'conversion_resolution_contradicted', null, null,
      jsonb_build_object('order', new.order_id, 'resolution', v.resolution_id, 'outcome', v.outcome));
  end loop;
  return null;
end $$;
create trigger overtaken_resolutions_are_closed after update of state on conversion_orders for each row
  when (old.state in ('unknown', 'held') and new.state not in ('unknown', 'held'))
  execute function close_overtaken_resolutions();

-- Commits another total to a conversion that is not funded: what is more comes from what is free, what is less is free. False:
-- too little is free, or the money has left, and the ledger decides. Nothing changes then.
create function change_conversion_commitment(p_order conversion_orders, p_total numeric, p_principal numeric) returns boolean
language plpgsql
set search_path = public, pg_temp as $$
declare
  v_from text := 'conversion/' || p_order.order_id;
  v_less numeric;
begin
  perform from balance_chains where account = p_order.account and currency = p_order.sell_currency for no key update;
  if not found then return true; end if;
  v_less := ledger_amount(p_order.account, p_order.sell_currency, v_from) - p_total;
  if v_less > 0 then
    perform transfer_money(p_order.account, p_order.sell_currency, v_from, 'free', v_less, 'release',
      v_from || '/' || nextval('ledger_causes'));
    update ledger_balances set principal = p_principal
    where account = p_order.account and currency = p_order.sell_currency and ledger_account = v_from;
    perform reserve_for_runs(p_order.account, p_order.sell_currency);
    return true;
  end if;
  if exists (select from ledger_transfers where account = p_order.account and currency = p_order.sell_currency
      and debit = v_from and credit = 'outside') then
    return v_less = 0 or take_over_commitment(p_order, p_total) or not money_is_known(p_order.account, p_order.sell_currency);
  end if;
  return commit_conversion(p_order.account, p_order.sell_currency, p_order.order_id::text, p_total, p_principal);
end $$;

-- The ledger has posted a debit as that of this conversion which the history shows to be of another payment or conversion of the
-- same total: what is committed to that one is then this conversion's. False: there is none.
create function take_over_commitment(p_order conversion_orders, p_total numeric) returns boolean language plpgsql
set search_path = public, pg_temp as $$
declare
  v_own text := 'conversion/' || p_order.order_id;
  v_other text;
begin
  select ledger_account into v_other from ledger_balances
  where account = p_order.account and currency = p_order.sell_currency and kind in ('payment', 'conversion')
    and ledger_account <> v_own and amount = p_total and funding_begun_at is not null
  order by funding_begun_at, ledger_account limit 1;
  if not found then return false; end if;
  perform transfer_money(p_order.account, p_order.sell_currency, v_other, v_own, p_total, 'commit',
    v_own || '/' || nextval('ledger_causes'));
  return true;
end $$;

-- Whether the history has a debit that can only be of this conversion: the ledger has posted one, and no other payment or
-- conversion of the same total still waits for its own. Of equal debits, nobody knows whose is whose.
create function conversion_debit_is_posted(p_order conversion_orders) returns boolean language sql stable
set search_path = public, pg_temp as $$
  select exists (select from ledger_transfers where account = p_order.account and currency = p_order.sell_currency
      and debit = 'conversion/' || p_order.order_id and credit = 'outside')
    and not exists (select from ledger_balances where account = p_order.account and currency = p_order.sell_currency
      and kind in ('payment', 'conversion') and ledger_account <> 'conversion/' || p_order.order_id
      and amount = p_order.total_amount and funding_begun_at is not null)
$$;

-- Records the intent to fund a created conversion: its money is committed, nobody has asked before without it being known
-- that this had no effect, which was proved just before, and at most twice, unless two people have said again.
create or replace function begin_conversion_funding(p_order uuid) returns jsonb language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v conversion_orders%rowtype;
  v_request uuid;
begin
  select * into v from conversion_orders where order_id = p_order for update;
  if v.state not in ('created', 'funding') or v.conversion_id is null then return jsonb_build_object('refused', 'state'); end if;
  if is_stopped(v.account, null) then return jsonb_build_object('refused', 'stopped'); end if;
  if not conversion_is_authorized(v, v.total_amount) then return jsonb_build_object('refused', 'approval_needed'); end if;
  if v.funding_cutoff_at <= clock_timestamp() then return jsonb_build_object('refused', 'cutoff_passed'); end if;
  if exists (select from conversion_requests where order_id = p_order and operation = 'fund'
      and coalesce(outcome, 'took_effect') = 'took_effect') then
    return jsonb_build_object('refused', 'state');
  end if;
  -- Its debit is in the history.
  if conversion_debit_is_posted(v) then return jsonb_build_object('refused', 'state'); end if;
  -- What was proved before a stop, or an outage of the workers, may not be so any more.
  if exists (select from conversion_requests where order_id = p_order and operation = 'fund'
      and (answer is null or answer in ('as_asked', 'unknown_outcome', 'refused', 'duplicate_reference')))
    and coalesce(v.unfunded_at < clock_timestamp() - interval '5 minutes', true) then
    return jsonb_build_object('refused', 'evidence_old');
  end if;
  if (select count(*) from conversion_requests where order_id = p_order and operation = 'fund'
        and answer in ('as_asked', 'unknown_outcome', 'refused', 'duplicate_reference'))
      >= 2 + (select count(*) from conversion_resolutions where order_id = p_order and outcome = 'fund_again' and state = 'confirmed') then
    return jsonb_build_object('refused', 'asked_twice');
  end if;
  -- No request takes money that is not committed to the conversion.
  if not change_conversion_commitment(v, v.total_amount, v.sell_amount) then
    return jsonb_build_object('refused', 'not_enough_money');
  end if;
  perform note_conversion_funding(v.account, v.sell_currency, p_order::text);
  update conversion_orders set state = 'funding', state_reason = null, absent_at = null, changed_at = clock_timestamp(),
    balance_before = coalesce(balance_before, (select amount from balance_snapshots
      where account = v.account and currency = v.sell_currency))
  where order_id = p_order;
  insert into conversion_requests (order_id, attempt, operation) values (p_order, v.attempt, 'fund') returning request_id into v_request;
  perform note('worker', 'conversion_requested', null, null, jsonb_build_object('order', p_order, 'account', v.account,
    'request', v_request, 'operation', 'fund', 'attempt', v.attempt, 'state', 'funding', 'total', v.total_amount::text));
  return jsonb_build_object('request', v_request);
end $$;

-- What two people have said takes effect, in a worker's hands: it has asked the provider before. `p_contradicts`: the provider
-- shows otherwise, and the order stays as it is.
create or replace function conclude_conversion_resolution(p_resolution uuid, p_contradicts boolean) returns boolean language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v conversion_resolutions%rowtype;
  v_order conversion_orders%rowtype;
  v_to text;
  v_total numeric;
  v_contradicts boolean;
begin
  select * into v from conversion_resolutions where resolution_id = p_resolution;
  select * into v_order from conversion_orders where order_id = v.order_id for update;
  select * into v from conversion_resolutions where resolution_id = p_resolution for update;
  if v.state is distinct from 'proposed' or v.confirmed_by is null then return false; end if;
  v_to := case v.outcome when 'never_created' then 'declined' when 'fund_again' then
    case v_order.state when 'held' then 'funding' else 'created' end else v.outcome end;
  v_total := coalesce((v_order.shown ->> 'totalAmount')::numeric, v_order.total_amount);
  v_contradicts := p_contradicts or not may_move_conversion(v_order.state, v_to, v_order.conversion_id is not null)
    -- Nothing is funded whose amount nobody has shown, or that nobody has allowed.
    or v.outcome = 'fund_again' and not coalesce(conversion_is_authorized(v_order, v_total), false)
    or v.outcome = 'fund_again' and not conversion_shown_is_ours(v_order)
    or v.outcome = 'fund_again' and conversion_debit_is_posted(v_order)
    or v.outcome = 'fund_again' and conversion_funding_took_effect(v_order.order_id);
  if v.outcome = 'fund_again' and not v_contradicts then
    -- Only the difference is committed, or free again: what is committed already is never free in between.
    v_contradicts := not change_conversion_commitment(v_order, v_total,
      coalesce((v_order.shown ->> 'sellAmount')::numeric, v_order.sell_amount));
  end if;
  if v_contradicts then
    update conversion_resolutions set state = 'contradicted', closed_at = clock_timestamp() where resolution_id = p_resolution;
    perform note('worker', 'conversion_resolution_contradicted', null, null,
      jsonb_build_object('order', v.order_id, 'resolution', p_resolution, 'outcome', v.outcome));
    return false;
  end if;
  update conversion_resolutions set state = 'confirmed', closed_at = clock_timestamp() where resolution_id = p_resolution;
  update conversion_requests set answered_at = coalesce(answered_at, clock_timestamp()), answer = coalesce(answer, 'unknown_outcome'),
    outcome = case when v.outcome = 'funded' then 'took_effect' else 'had_no_effect' end
  where order_id = v.order_id and outcome is null;
  if v.outcome = 'fund_again' then
    -- The amounts that two people have accepted, each of them: the bought one is what is waited for.
    update treasury_days set committed = committed + v_total - v_order.total_amount
    where account = v_order.account and currency = v_order.sell_currency and day = v_order.committed_on;
    update conversion_orders set total_amount = v_total, sell_amount = coalesce((shown ->> 'sellAmount')::numeric, sell_amount),
      buy_amount = coalesce((shown ->> 'buyAmount')::numeric, buy_amount)
    where order_id = v.order_id;
  end if;
  update conversion_orders set state = v_to, absent_at = null, unfunded_at = clock_timestamp(), changed_at = clock_timestamp(),
    state_reason = case v.outcome when 'never_created' then 'resolved_never_created' when 'lapsed' then 'cutoff_passed' end,
    funded_at = case v.outcome when 'funded' then coalesce(funded_at, clock_timestamp()) else funded_at end,
    ended_at = case when v_to in ('declined', 'lapsed', 'settled') then clock_timestamp() end
  where order_id = v.order_id;
  perform note('worker', 'conversion_resolution_confirmed', null, null, jsonb_build_object('order', v.order_id,
    'account', v_order.account, 'resolution', p_resolution, 'outcome', v.outcome, 'state', v_to));
  return true;
end $$;

-- No conversion is funded twice, whoever says so.
create function conversion_funding_took_effect(p_order uuid) returns boolean language sql stable
set search_path = public, pg_temp as $$
  select exists (select from conversion_requests where order_id = p_order and operation = 'fund' and outcome = 'took_effect')
$$;

-- Whether what the provider shows may be the conversion of this order: its currencies, and our reference, or none.
create function conversion_shown_is_ours(p_order conversion_orders) returns boolean language sql immutable
set search_path = public, pg_temp as $$
  select coalesce(p_order.shown ->> 'sellCurrency', p_order.sell_currency) = p_order.sell_currency
    and coalesce(p_order.shown ->> 'buyCurrency', p_order.buy_currency) = p_order.buy_currency
    and coalesce(p_order.shown ->> 'referenceId', p_order.order_id || '-' || p_order.attempt)
      = p_order.order_id || '-' || p_order.attempt
$$;

-- What became of an order that payrun cannot find out, or that its conversion is to be funded although its amounts are other
-- ones, or once more: never one that is not the order's.
create or replace function propose_conversion_resolution(p_proof bytea, p_order uuid, p_outcome text, p_reason text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v conversion_orders%rowtype;
  v_refusal jsonb;
  v_remark uuid;
  v_resolution uuid;
  v_fits boolean;
begin
  select * into me from session_of(p_proof);
  v_refusal := conversion_objection_to(me.user_id, me.token_id, 'convert', p_order, 'propose_conversion_resolution');
  if v_refusal is not null then return v_refusal; end if;
  select * into v from conversion_orders where order_id = p_order;
  v_fits := case p_outcome
    when 'never_created' then v.state = 'unknown' and v.conversion_id is null
    when 'funded' then v.state = 'unknown' and v.conversion_id is not null
    when 'settled' then v.state = 'unknown' and v.conversion_id is not null and v.funded_at is not null
    when 'lapsed' then v.state in ('unknown', 'held') and v.conversion_id is not null
    when 'fund_again' then v.state in ('unknown', 'held') and v.conversion_id is not null
    else false end;
  if not v_fits then
    return refused('conflict', 'an order that is ' || replace(v.state, '_', ' ') || coalesce(' (' || v.state_reason || ')', '')
      || ' is not resolved as ' || replace(p_outcome, '_', ' '));
  end if;
  if p_outcome = 'fund_again' and not conversion_shown_is_ours(v) then
    return refused('conflict', 'the provider shows a conversion of other currencies, or under another reference: it is not funded');
  end if;
  if p_outcome = 'fund_again' and conversion_funding_took_effect(p_order) then
    return refused('conflict', 'a request to fund it has taken effect: it is not funded again. Resolve it otherwise, and place another order');
  end if;
  v_remark := keep_remark(me.user_id, null, p_reason);
  insert into conversion_resolutions (order_id, outcome, remark_id, proposed_by)
  values (p_order, p_outcome, v_remark, me.user_id)
  on conflict (order_id) where state = 'proposed' do nothing returning resolution_id into v_resolution;
  if v_resolution is null then
    return refused('conflict', 'there is an open proposal for this order: have it confirmed or denied first');
  end if;
  perform note(me.user_id::text, 'conversion_resolution_proposed', null, null, jsonb_build_object('order', p_order,
    'resolution', v_resolution, 'outcome', p_outcome, 'token', me.token_id) || remark_note(v_remark));
  return jsonb_build_object('resolutionId', v_resolution);
end $$;
