-- Decides on the terms with the given hash: another person than who placed the order approves, rejects, or releases it from hold; who
-- placed it withdraws it. Approving and releasing take a second factor where the policy asks for one.
-- Called by: server.
create or replace function decide_conversion(p_token_hash bytea, p_order uuid, p_decision text, p_hash text, p_reason text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v conversion_orders%rowtype;
  v_refusal jsonb;
  v_remark uuid;
begin
  perform apply_due_changes();
  select * into me from session_of(p_token_hash);
  v_refusal := authorize_for_conversion(me.user_id, me.token_id, case p_decision when 'withdrawn' then 'convert' else 'decide_conversion' end,
    p_order, 'conversion_' || p_decision);
  if v_refusal is not null then return v_refusal; end if;
  select * into v from conversion_orders where order_id = p_order;
  -- guard: conversion-withdrawn-by-placer
  if p_decision = 'withdrawn' and v.placed_by <> me.user_id then
    return refuse_conversion_decision(me.user_id, me.token_id, p_order, 'other_withdraws', 'only who placed an order withdraws it');
  end if;
  -- guard: conversion-not-decided-by-placer
  if p_decision <> 'withdrawn' and v.placed_by = me.user_id then
    return refuse_conversion_decision(me.user_id, me.token_id, p_order, 'placer_decides',
      'who placed an order cannot decide on it; ask a second person');
  end if;
  -- guard: conversion-decided-as-shown
  if p_hash is distinct from v.order_hash then
    return refused('conflict', 'these are not the terms of the order: look at it again');
  end if;
  if p_decision in ('approved', 'released') and v.expires_at <= clock_timestamp() then
    return refused('conflict', 'the order has expired');
  end if;
  if p_decision = 'approved' and v.state <> 'in_approval' then
    return refused('conflict', 'the order is not waiting for a decision: it is ' || replace(v.state, '_', ' '));
  end if;
  if p_decision = 'released' and (v.state <> 'held' or v.conversion_id is not null) then
    return refused('conflict', 'only a held order of which the provider has nothing is released: it is ' || replace(v.state, '_', ' '));
  end if;
  if p_decision in ('rejected', 'withdrawn') and not may_move_conversion(v.state, 'rejected', v.conversion_id is not null)
    or v.state = 'unknown' then
    return refused('conflict', 'the order is ' || replace(v.state, '_', ' ') || ': it cannot be rejected now');
  end if;
  if p_decision not in ('rejected', 'withdrawn') then
    -- guard: conversion-approved-once-live (2 lines)
    v_refusal := authorize_when_live(me.user_id, me.token_id, null, 'conversion_' || p_decision);
    if v_refusal is not null then return v_refusal; end if;
    -- The last check, since it uses up the second factor.
    -- guard: second-factor-for-conversion
    v_refusal := authorize_by_second_factor(me.user_id, me.token_id, null, 'order', p_order, p_hash, p_decision);
    if v_refusal is not null then return v_refusal; end if;
  end if;
  v_remark := keep_remark(me.user_id, null, p_reason);
  insert into conversion_decisions (order_id, decision, order_hash, decided_by, remark_id)
  values (p_order, p_decision, p_hash, me.user_id, v_remark);
  if p_decision in ('approved', 'released') then
    update conversion_orders set state = 'approved', state_reason = null, quotes = 0, changes = changes + 1, changed_at = clock_timestamp()
    where order_id = p_order;
  else
    update conversion_orders set state = 'rejected', state_reason = 'approval_rejected', ended_at = clock_timestamp(),
      changes = changes + 1, changed_at = clock_timestamp()
    where order_id = p_order;
  end if;
  perform note(me.user_id::text, 'conversion_' || p_decision, null, null, jsonb_build_object('order', p_order, 'account', v.account,
    'hash', p_hash, 'state', (select state from conversion_orders where order_id = p_order),
    'token', me.token_id) || remark_note(v_remark));
  return jsonb_build_object('done', true);
end $$;

-- Records that a decision was refused since its maker may not make it, and returns the refusal.
-- Called by: other functions.
create or replace function refuse_conversion_decision(p_user uuid, p_token uuid, p_order uuid, p_why text, p_message text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform note(p_user::text, 'conversion_decision_refused', null, null,
    jsonb_build_object('order', p_order, 'why', p_why, 'token', p_token));
  return refused('not_allowed', p_message);
end $$;

-- A decision on an order does not change.
-- Called by: triggers.
create or replace function refuse_change_of_conversion_decision() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  raise exception 'a decision on an order is kept as it was made';
end $$;

create or replace trigger conversion_decisions_are_kept before update or delete or truncate on conversion_decisions
  for each statement execute function refuse_change_of_conversion_decision();
