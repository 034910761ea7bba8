-- Writes an entry into the audit trail.
-- Called by: other functions.
create or replace function note(p_actor text, p_kind text, p_run uuid, p_payment uuid, p_detail jsonb) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into audit_entries (actor, kind, run_id, payment_id, detail) values (p_actor, p_kind, p_run, p_payment, p_detail)
$$;

-- Adds the id of the HTTP request to an entry. A server sets it for one transaction with every call in a user's name. The chain
-- covers it, and it proves nothing: it leads from an entry to the log and to Temporal.
-- Called by: triggers.
create or replace function note_request() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  new.detail := new.detail || jsonb_build_object('httpRequest', current_setting('payrun.request', true));
  return new;
end $$;

create or replace trigger entries_have_their_request before insert on audit_entries
  for each row when (current_setting('payrun.request', true) ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$')
  execute function note_request();

-- A process writes entries of its own actor alone, of the kinds that it writes by itself: what people did is noted by functions.
-- Called by: triggers.
create or replace function refuse_entry_of_others() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if exists (select from pg_class where oid = tg_relid and pg_has_role(current_user, relowner, 'USAGE')) then return new; end if;
  -- guard: entries-by-actor
  if exists (select from pg_roles where rolname = 'payrun_' || new.actor and pg_has_role(current_user, oid, 'MEMBER'))
    and (case new.actor
      -- guard: entries-by-kind
      when 'worker' then new.kind ~ '^(quote|create|fund)_(requested|took_effect|refused|not_sent|not_seen|outcome_unknown|resolved)$'
        or new.kind ~ '^run_' and run_is_set_by_worker(substr(new.kind, 5))
        or new.kind in ('beneficiary_created', 'beneficiary_discarded', 'beneficiary_gone', 'beneficiary_refused',
          'beneficiary_unused', 'duplicate_suspected', 'file_refused', 'file_uploaded', 'given_up', 'held',
          'not_confirmed_in_time', 'payment_differs', 'payment_ended', 'payment_verified', 'provider_recorded',
          'provider_state_recorded', 'request_refused', 'manual_outcome_confirmed', 'manual_outcome_contradicted',
          'manual_outcome_refused', 'manual_outcome_voided', 'resolved', 'run_refused',
          'case_answered', 'case_document_verified', 'case_moved', 'case_remark_recorded', 'case_reminded', 'case_requested',
          'case_manual_outcome_confirmed', 'case_manual_outcome_contradicted', 'conversion_answered', 'conversion_read', 'conversion_moved', 'sign_ups_pause_reminded', 'sign_ups_paused',
          'beneficiary_disowned', 'beneficiary_left_over', 'provider_fact_recorded', 'settled')
      when 'server' then new.kind in ('access_refused', 'sign_in_refused')
      else false end)
  then
    return new;
  end if;
  raise exception 'a process writes down what it did itself, not % of %', new.kind, new.actor
    using errcode = 'insufficient_privilege';
end $$;

create or replace trigger entries_are_of_their_writer before insert on audit_entries
  for each row execute function refuse_entry_of_others();

-- The audit trail and its chain are append-only.
-- Called by: triggers.
create or replace function refuse_change() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  raise exception 'the audit trail is append-only';
end $$;

-- guard: audit-kept (2 lines)
create or replace trigger audit_is_append_only before update or delete or truncate on audit_entries
  for each statement execute function refuse_change();
-- guard: links-kept (2 lines)
create or replace trigger chain_is_append_only before update or delete or truncate on audit_chain
  for each statement execute function refuse_change();

-- Chains the entries that are committed and provably complete, and answers how many: none while another process does so. What an
-- unfinished transaction may still add to is left for the next time. Nobody else writes links: one with a wrong hash would break
-- the chain for good.
-- Called by: server and worker.
create or replace function chain_audit(p_limit integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_position bigint := 0;
  -- What is hashed, and how, is told in store/audit/audit-chain.ts.
  v_hash bytea := decode(repeat('00', 32), 'hex');
  v_epoch integer := -1;
  v_entry bigint := 0;
  v_open integer;
  v_chained integer := 0;
  v_entries bigint[] := '{}';
  v_hashes bytea[] := '{}';
  v record;
begin
  -- Each statement has to see what was committed before it.
  -- guard: chained-as-committed
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'the audit trail is chained at read committed';
  end if;
  -- guard: chain-asked-for-something
  if (p_limit > 0) is not true then raise exception 'at least one entry is chained' using errcode = 'check_violation'; end if;
  -- Whoever can connect can hold this, and keep an epoch open: `unchained_since` tells, and `end_chain_holders` ends it.
  if not pg_try_advisory_xact_lock(hashtextextended('audit-chain', 0)) then return 0; end if;
  select position, hash, epoch, entry_id into v from audit_chain join audit_entries using (entry_id)
  order by position desc limit 1;
  if found then
    v_position := v.position;
    v_hash := v.hash;
    v_epoch := v.epoch;
    v_entry := v.entry_id;
  end if;
  if not exists (select from audit_entries where (epoch, entry_id) > (v_epoch, v_entry)) then return 0; end if;
  -- A new epoch begins, once the present one has entries: its numbers are used up by nobody who only asks. Whoever took the lock of an
  -- older one before this counts is seen among the locks; whoever takes it later finds that a new one has begun.
  select last_value into v_open from public.audit_epochs;
  -- guard: epochs-used-by-entries
  if exists (select from audit_entries where epoch = v_open) then v_open := nextval('public.audit_epochs'); end if;
  select least(v_open, min(objid::bigint)::integer) into v_open from pg_locks
  where locktype = 'advisory' and classid = 1885436257 and objsubid = 2
    and database = (select oid from pg_database where datname = current_database());
  for v in
    select entry_id, jsonb_build_array(epoch, entry_id, (extract(epoch from at) * 1000000)::bigint, actor, kind, run_id,
      payment_id, detail)::text as entry
    from audit_entries where (epoch, entry_id) > (v_epoch, v_entry) and epoch < v_open
    order by epoch, entry_id limit p_limit
  loop
    v_chained := v_chained + 1;
    v_hash := sha256(v_hash || convert_to(v.entry, 'UTF8'));
    v_entries := v_entries || v.entry_id;
    v_hashes := v_hashes || v_hash;
  end loop;
  insert into audit_chain (position, entry_id, hash)
  select v_position + nth, entry_id, hash
  from unnest(v_entries, v_hashes) with ordinality as chained (entry_id, hash, nth);
  return v_chained;
end $$;

-- When the oldest entry was written that is not chained; null: there is none. Entries wait while a transaction that may add to them is
-- open, and while somebody holds the lock of the chain: for more than some minutes, that is to be looked at.
-- Called by: server and worker.
create or replace function unchained_since() returns timestamptz
language sql stable security definer set search_path = public, pg_temp as $$
  with chained as (
    select epoch, entry_id from audit_chain join audit_entries using (entry_id) order by position desc limit 1
  )
  select at from audit_entries entries
  where (epoch, entry_id) > (coalesce((select epoch from chained), -1), coalesce((select entry_id from chained), 0))
  order by epoch, entry_id limit 1
$$;

-- Ends the sessions that keep entries from being chained: who holds the lock of the chain, or that of an epoch which is to be chained. Once
-- the oldest entry has waited for ten minutes, and is the one that waited when the caller looked before: whoever chains has chained it by
-- then, and no transaction of payrun lasts so long. Sessions with the owner's rights stay. Answers the logins that were ended, and how many
-- the owner of this function may not end.
-- Called by: server and worker.
create or replace function end_chain_holders(p_unchained_since timestamptz) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_epoch integer;
  v record;
  v_ended text[] := '{}';
  v_left integer := 0;
begin
  -- guard: only-who-holds-up (2 lines)
  if (p_unchained_since = unchained_since() and p_unchained_since < clock_timestamp() - interval '10 minutes') is not true then
    return jsonb_build_object('ended', v_ended, 'left', v_left); end if;
  select epoch into v_epoch from audit_entries entries
  where at = p_unchained_since and not exists (select from audit_chain where entry_id = entries.entry_id) order by entry_id limit 1;
  for v in
    select distinct pid, usename from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and granted and pid <> pg_backend_pid()
      and pg_locks.database = (select oid from pg_database where datname = current_database())
      and (objsubid = 2 and classid = 1885436257 and objid::bigint <= v_epoch
        or objsubid = 1 and classid::bigint << 32 | objid::bigint = hashtextextended('audit-chain', 0))
      -- guard: owner-is-not-ended
      and not pg_has_role(usesysid, (select relowner from pg_class where oid = 'public.audit_entries'::regclass), 'MEMBER')
  loop
    begin
      if pg_terminate_backend(v.pid, 1000) then v_ended := v_ended || v.usename::text; end if;
    exception when insufficient_privilege then
      v_left := v_left + 1;
    end;
  end loop;
  if v_ended <> '{}' then
    perform note('database', 'chain_holders_ended', null, null, jsonb_build_object('logins', v_ended, 'since', p_unchained_since));
  end if;
  return jsonb_build_object('ended', v_ended, 'left', v_left);
end $$;

-- Notes that a destination has taken the entries after one position up to another: only from where it was, so that none is left out, and
-- by the hash that it has. Whether it has them, whoever verifies the export sees.
-- Called by: worker.
create or replace function note_export(p_destination text, p_after bigint, p_position bigint, p_hash bytea) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into audit_exports (destination, position) values (p_destination, 0) on conflict do nothing;
  update audit_exports set position = p_position, exported_at = clock_timestamp()
  -- guard: exported-from-where-it-was
  where destination = p_destination and position = p_after and p_position > p_after
    -- guard: exported-as-chained
    and exists (select from audit_chain where audit_chain.position = p_position and hash = p_hash);
  if not found then
    raise exception 'the export has not come so far' using errcode = 'check_violation';
  end if;
end $$;
