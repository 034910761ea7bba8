-- Resumes the sign-ups of an account; on request, those that were refused with the same answer are tried again.
-- Called by: server.
create or replace function resume_sign_ups(p_token_hash bytea, p_account text, p_retry boolean) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v sign_up_pauses%rowtype;
  v_refusal jsonb;
  v_case uuid;
  v_retried integer := 0;
  v_left integer := 0;
begin
  select * into me from session_of(p_token_hash);
  v_refusal := authorize_user(me.user_id, me.token_id, 'onboard', null, 'resume_sign_ups');
  if v_refusal is not null then return v_refusal; end if;
  v_refusal := authorize_for_account(me.user_id, me.token_id, p_account, 'resume_sign_ups');
  if v_refusal is not null then return v_refusal; end if;
  -- As who counts refusals: what was refused until now does not count again.
  perform pg_advisory_xact_lock(hashtextextended('sign-ups ' || p_account, 0));
  select * into v from sign_up_pauses where account = p_account and lifted_at is null for update;
  if not found then return refused('conflict', 'sign-ups of this account are not paused'); end if;
  if p_retry then
    for v_case in
      select case_id from case_requests requests join cases using (case_id)
      where account = p_account and state = 'refused' and operation = 'sign_up' and outcome = 'refused' and retried_by is null
        and requests.http_status is not distinct from v.http_status and requests.answer_digest = v.answer_digest
        and answered_at >= v.first_refused_at
      order by answered_at
    loop
      if reopen_refused_case(v_case, me.user_id, me.token_id) then v_retried := v_retried + 1;
      else v_left := v_left + 1; end if;
    end loop;
  end if;
  update sign_up_pauses set lifted_by = me.user_id, lifted_at = clock_timestamp() where pause_id = v.pause_id;
  perform note(me.user_id::text, 'sign_ups_resumed', null, null, jsonb_build_object(
    'account', p_account, 'pause', v.pause_id, 'retried', v_retried, 'left', v_left, 'token', me.token_id));
  return jsonb_build_object('retried', v_retried, 'left', v_left);
end $$;
