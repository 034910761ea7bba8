-- Counts what a user asks for today, unless that is more than the day allows: of a kind, once more and so many bytes. Null: no limit.
-- Called by: server.
create or replace function use_daily(p_token_hash bytea, p_kind text, p_bytes bigint, p_max_uses integer, p_max_bytes bigint) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_today date := (clock_timestamp() at time zone 'UTC')::date;
  v_seconds integer := ceil(extract(epoch from (v_today + 1)::timestamp - clock_timestamp() at time zone 'UTC'));
begin
  select * into me from reader_of(p_token_hash);
  if me.user_id is null then return refused('unauthenticated', 'the token is unknown, expired or revoked'); end if;
  delete from daily_uses where user_id = me.user_id and kind = p_kind and day < v_today;
  insert into daily_uses (user_id, kind, day, uses, bytes) values (me.user_id, p_kind, v_today, 0, 0) on conflict do nothing;
  update daily_uses set uses = uses + 1, bytes = bytes + p_bytes
  where user_id = me.user_id and kind = p_kind and day = v_today
    -- guard: uses-a-day
    and (p_max_uses is null or uses < p_max_uses)
    -- guard: bytes-a-day
    and (p_max_bytes is null or bytes + p_bytes <= p_max_bytes);
  if not found then
    return refused('too_many', case p_kind
      when 'upload' then 'you have sent as many files as one user may in a day (UTC), or as many bytes: go on tomorrow, or have whoever operates payrun raise PAYRUN_UPLOADS_PER_DAY or PAYRUN_UPLOAD_MB_PER_DAY'
      when 'ending' then 'you have ended as many sessions and tokens of others as one administrator may in a day (UTC): ask another one, or have their users disabled'
      else 'you have asked for as many reports and dry runs as one user may in a day (UTC): go on tomorrow, or have whoever operates payrun raise PAYRUN_REPORTS_PER_DAY' end)
      || jsonb_build_object('retryAfterSeconds', v_seconds);
  end if;
  return jsonb_build_object('done', true);
end $$;
