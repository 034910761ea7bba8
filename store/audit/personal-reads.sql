-- Notes that a user reads personal data or bank details, by a permission, before it is shown. It is about no run: whoever reads the
-- audit trail of all sees who has read what.
-- Called by: server.
create or replace function note_read(p_token_hash bytea, p_reads text, p_route text, p_named jsonb, p_address text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
begin
  select * into me from reader_of(p_token_hash);
  -- guard: may-note-read
  v_refusal := authorize_user(me.user_id, me.token_id, p_reads, null, 'note_read');
  if v_refusal is not null then return v_refusal; end if;
  perform note(me.user_id::text, 'personal_data_read', null, null, p_named || jsonb_build_object('reads', p_reads,
    'route', left(p_route, 200), 'address', left(p_address, 100), 'token', me.token_id));
  return jsonb_build_object('done', true);
end $$;
