-- Up Migration

-- What the processes' logins cannot write, whatever their rights on the tables: what people did, and the chain over the
-- audit trail.

-- Functions of the first migrations look into the schema alone as well, past every temporary table.
alter function refuse_change() set search_path = public, pg_temp;
alter function audit_epoch() set search_path = public, pg_temp;
alter function void_resolutions() set search_path = public, pg_temp;

-- Functions that ask for a proof run as the owner. Everything else that writes is a process: its actor and its kinds are
-- those of store/audit/audit-kinds.ts.
create function refuse_entry_of_others() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if exists (select from pg_class where oid = tg_relid and pg_has_role(current_user, relowner, 'USAGE')) then return new; end if;
  if exists (select from pg_roles where rolname = 'payrun_' || new.actor and pg_has_role(current_user, oid, 'MEMBER'))
    and (case new.actor
      when 'worker' then new.kind ~ '^(quote|create|fund)_(requested|took_effect|had_no_effect|refused|outcome_unknown|looked_up)$'
        or new.kind ~ '^run_(proposed|in_approval|expired|completed|partially_completed|failed|cancelled)$'
        or new.kind in ('beneficiary_created', 'beneficiary_disowned', 'beneficiary_gone', 'beneficiary_left_over',
          'beneficiary_refused', 'duplicate_suspected', 'file_refused', 'file_uploaded', 'given_up', 'held',
          'not_confirmed_in_time', 'payment_differs', 'payment_sealed', 'provider_fact_recorded', 'provider_recorded',
          'request_refused', 'resolution_confirmed', 'resolution_contradicted', 'resolution_refused', 'resolution_voided',
          'resolved', 'run_refused', 'settled')
      when 'server' then new.kind in ('access_refused', 'sign_in_refused')
      else false end)
  then
    return new;
  end if;
  raise exception 'a process writes down what it did itself, not % of %', new.kind, new.actor
    using errcode = 'insufficient_privilege';
end $$;
create trigger entries_are_of_their_writer before insert on audit_entries
  for each row execute function refuse_entry_of_others();

-- Seals what is committed and provably complete, and answers how many entries it sealed: none while another process is
-- at it. What an unfinished transaction may still add to stays for the next time. Nobody else writes seals: one with a
-- wrong hash would break the chain for good.
create function seal_audit(p_limit integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_position bigint := 0;
  -- What is hashed, and how, is told in store/audit/audit-chain.ts.
  v_hash bytea := decode(repeat('00', 32), 'hex');
  v_epoch integer := -1;
  v_entry bigint := 0;
  v_open integer;
  v_sealed integer := 0;
  v_entries bigint[] := '{}';
  v_hashes bytea[] := '{}';
  v record;
begin
  -- Each statement has to see what was committed before it.
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'the audit trail is sealed at read committed';
  end if;
  if not pg_try_advisory_xact_lock(hashtextextended('audit-seals', 0)) then return 0; end if;
  select position, hash, epoch, entry_id into v from audit_seals join audit_entries using (entry_id)
  order by position desc limit 1;
  if found then
    v_position := v.position;
    v_hash := v.hash;
    v_epoch := v.epoch;
    v_entry := v.entry_id;
  end if;
  if not exists (select from audit_entries where (epoch, entry_id) > (v_epoch, v_entry)) then return 0; end if;
  -- A new epoch begins. Whoever took the lock of an older one before this counts is seen among the locks; whoever takes
  -- it later finds that a new one has begun.
  v_open := nextval('public.audit_epochs');
  select least(v_open, min(objid::bigint)::integer) into v_open from pg_locks
  where locktype = 'advisory' and classid = 1885436257 and objsubid = 2
    and database = (select oid from pg_database where datname = current_database());
  for v in
    select entry_id, jsonb_build_array(epoch, entry_id, (extract(epoch from at) * 1000000)::bigint, actor, kind, run_id,
      payment_id, detail)::text as entry
    from audit_entries where (epoch, entry_id) > (v_epoch, v_entry) and epoch < v_open
    order by epoch, entry_id limit p_limit
  loop
    v_sealed := v_sealed + 1;
    v_hash := sha256(v_hash || convert_to(v.entry, 'UTF8'));
    v_entries := v_entries || v.entry_id;
    v_hashes := v_hashes || v_hash;
  end loop;
  insert into audit_seals (position, entry_id, hash)
  select v_position + nth, entry_id, hash
  from unnest(v_entries, v_hashes) with ordinality as sealed (entry_id, hash, nth);
  return v_sealed;
end $$;

-- A file that is refused leaves this and nothing else.
create function note_refused_file(p_proof bytea, p_file_sha256 text, p_problems jsonb) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
begin
  select * into me from session_of(p_proof);
  v_refusal := objection_to(me.user_id, me.token_id, 'submit_run', null, 'note_refused_file');
  if v_refusal is not null then return v_refusal; end if;
  perform note(me.user_id::text, 'file_refused', null, null,
    jsonb_build_object('fileSha256', p_file_sha256, 'problems', p_problems, 'token', me.token_id));
  return jsonb_build_object('done', true);
end $$;
