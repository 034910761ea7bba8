-- Written by `npm run docs` from domain/onboarding/case-state-table.ts: change it there, not here.

-- Which transitions there are.
-- Called by: server and worker.
create or replace function may_move_case(p_from text, p_to text) returns boolean language sql immutable
return case p_from
  when 'draft' then p_to in ('signing_up', 'withdrawn')
  when 'signing_up' then p_to in ('preparing', 'refused', 'unknown', 'withdrawn')
  when 'preparing' then p_to in ('ready', 'incomplete', 'needs_provider')
  when 'incomplete' then p_to in ('preparing', 'screening', 'withdrawn', 'expired')
  when 'needs_provider' then p_to in ('preparing', 'screening', 'withdrawn', 'expired')
  when 'ready' then p_to in ('screening', 'incomplete', 'needs_provider')
  when 'screening' then p_to in ('approved', 'rejected', 'resubmission', 'verification', 'inactive', 'needs_provider')
  when 'verification' then p_to in ('approved', 'rejected', 'resubmission', 'screening', 'inactive', 'needs_provider')
  when 'inactive' then p_to in ('approved', 'rejected', 'resubmission', 'screening', 'verification', 'needs_provider')
  when 'resubmission' then p_to in ('preparing', 'screening', 'withdrawn', 'expired')
  when 'unknown' then p_to in ('preparing', 'never_created')
  when 'approved' then p_to in ('erased')
  when 'rejected' then p_to in ('erased')
  when 'refused' then p_to in ('draft', 'erased')
  when 'withdrawn' then p_to in ('erased')
  when 'expired' then p_to in ('erased')
  when 'never_created' then p_to in ('erased')
  else false
end;

-- An onboarder may give new values and files.
-- Called by: server and worker.
create or replace function case_may_be_supplied(p_state text) returns boolean language sql immutable
return p_state in ('incomplete', 'needs_provider', 'resubmission');

-- The provider has approved or rejected the applicant.
-- Called by: server and worker.
create or replace function case_is_decided_by_provider(p_state text) returns boolean language sql immutable
return p_state in ('approved', 'rejected');

-- The sign-up may be under way, or its outcome is unknown.
-- Called by: server and worker.
create or replace function case_sign_up_may_be_unanswered(p_state text) returns boolean language sql immutable
return p_state in ('signing_up', 'unknown');

-- Only people move a case into it.
-- Called by: server and worker.
create or replace function case_is_set_by_people(p_state text) returns boolean language sql immutable
return p_state in ('draft', 'withdrawn', 'erased');
