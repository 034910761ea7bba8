
-- Up Migration

-- Two people who have a conversion funded as the provider shows it accept these amounts: where it shows others by the time at which
-- their word takes effect, nothing is funded, and they look at it again.
alter table conversion_resolutions add column amounts jsonb;

-- The amounts of an order as the provider shows them; what it does not show, as it was quoted.
create function conversion_amounts_shown(v conversion_orders) returns jsonb language sql immutable set search_path = public, pg_temp as $$
  select jsonb_build_object('total', coalesce((v.shown ->> 'totalAmount')::numeric, v.total_amount),
    'sell', coalesce((v.shown ->> 'sellAmount')::numeric, v.sell_amount),
    'buy', coalesce((v.shown ->> 'buyAmount')::numeric, v.buy_amount))
$$;

create function keep_amounts_of_resolution() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  new.amounts := (select conversion_amounts_shown(orders) from conversion_orders orders where order_id = new.order_id);
  return new;
end $$;
create trigger amounts_are_kept before insert on conversion_resolutions
  for each row execute function keep_amounts_of_resolution();

-- expands: a function of the same name and parameters takes its place
alter function conclude_conversion_resolution(uuid, boolean) rename to conclude_resolution_as_told;

create function conclude_conversion_resolution(p_resolution uuid, p_contradicts boolean) returns boolean language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v conversion_resolutions%rowtype;
  v_order conversion_orders%rowtype;
begin
  select * into v from conversion_resolutions where resolution_id = p_resolution;
  select * into v_order from conversion_orders where order_id = v.order_id for update;
  return conclude_resolution_as_told(p_resolution, p_contradicts
    or v.outcome = 'fund_again' and v.amounts is distinct from conversion_amounts_shown(v_order));
end $$;
