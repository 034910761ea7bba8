
-- Up Migration

-- Who lifts a stop says who had asked for it when they looked: whoever only means to ask must not let money go at once, because
-- somebody else has asked in the meantime. What is asked of `lift_stop` is locked in its order.
create function lift_stop_as_seen(p_proof bytea, p_stop uuid, p_asked_by uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v stops%rowtype;
begin
  perform apply_due_changes();
  select * into me from session_of(p_proof);
  perform from runs where run_id = (select run_id from stops where stop_id = p_stop) for update;
  select * into v from stops where stop_id = p_stop for update;
  if v.lifted_at is null and v.lift_asked_by is distinct from p_asked_by and user_may(me.user_id, 'lift_stop') then
    return refused('conflict', 'since you looked, somebody has asked to lift the stop, or has taken that back: look at it again');
  end if;
  return lift_stop(p_proof, p_stop);
end $$;
