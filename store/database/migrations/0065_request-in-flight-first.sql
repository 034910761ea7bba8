-- Up Migration

-- While a request to fund a conversion is in flight, the answer is that, and not that its approval is missing by now: the order was
-- held then, and stayed so when the request took effect.

-- Records the intent to fund a created conversion: its money is committed, nobody has asked before without it being known
-- that this had no effect, which was proved just before, and no debit of its total came since; at most twice, unless two people
-- have said again.
create or replace function begin_conversion_funding(p_order uuid) returns jsonb language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v conversion_orders%rowtype;
  v_request uuid;
begin
  select * into v from conversion_orders where order_id = p_order for update;
  if v.state not in ('created', 'funding') or v.conversion_id is null then return jsonb_build_object('refused', 'state'); end if;
  -- What became of an earlier request comes before whatever else speaks against another one.
  if exists (select from conversion_requests where order_id = p_order and operation = 'fund'
      and coalesce(outcome, 'took_effect') = 'took_effect') then
    return jsonb_build_object('refused', 'state');
  end if;
  if is_stopped(v.account, null) then return jsonb_build_object('refused', 'stopped'); end if;
  if not conversion_is_authorized(v, v.total_amount) then return jsonb_build_object('refused', 'approval_needed'); end if;
  if v.funding_cutoff_at <= clock_timestamp() then return jsonb_build_object('refused', 'cutoff_passed'); end if;
  -- Its debit is in the history.
  if conversion_debit_is_posted(v) then return jsonb_build_object('refused', 'state'); end if;
  -- What was proved before a stop, or an outage of the workers, may not be so any more.
  if exists (select from conversion_requests where order_id = p_order and operation = 'fund'
      and (answer is null or answer in ('as_asked', 'unknown_outcome', 'refused', 'duplicate_reference')))
    and (coalesce(v.unfunded_at < clock_timestamp() - interval '5 minutes', true) or conversion_debit_came_since(v, v.unfunded_at)) then
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
