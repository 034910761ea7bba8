-- Up Migration

-- Users, their roles and their tokens. What changes them are functions that ask for the proof of a token (see
-- 0007): no role of the runtime may write these tables.

-- expands: a view under the old name serves the version before
alter table people rename to users;
create view people as select user_id, name, role, created_at from users;

alter table users
  alter column role drop not null,
  add column login text,
  add column disabled_at timestamptz,
  add constraint login_form check (login ~ '^[a-z0-9][a-z0-9._@+-]{0,63}$') not valid;
comment on column users.role is 'of the version before; roles are in user_roles';

-- Names were unique; a login made of one may not be.
with made as (
  select user_id, coalesce(nullif(trim(both '.' from regexp_replace(lower(name), '[^a-z0-9]+', '.', 'g')), ''), 'user') as login,
    created_at
  from users
), numbered as (
  select user_id, left(login, 50) as login, row_number() over (partition by left(login, 50) order by created_at, user_id) as n
  from made
)
update users set login = numbered.login || case when n = 1 then '' else '-' || n end
from numbered where numbered.user_id = users.user_id;
-- expands: the version before leaves it null
create unique index users_by_login on users (login);

create table user_roles (
  user_id uuid not null references users,
  role text not null check (role in ('maker', 'checker', 'treasurer', 'onboarder', 'viewer', 'administrator')),
  granted_at timestamptz not null default clock_timestamp(),
  primary key (user_id, role)
);
insert into user_roles (user_id, role) select user_id, role from users where role is not null;

create function administrators_hold_no_other_role() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if (select count(*) > 1 and bool_or(role = 'administrator') from user_roles where user_id = new.user_id) then
    raise exception 'an administrator holds no other role' using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger administrators_apart after insert or update on user_roles
  for each row execute function administrators_hold_no_other_role();

-- A bearer token is 32 random bytes. Its proof is their SHA-256: what a server shows to the database to act in the
-- user's name. Kept is only the hash of the proof, so that nobody who can read these tables can act for anyone.
alter table api_tokens
  alter column token_hash drop not null,
  add column proof_hash bytea;
update api_tokens set proof_hash = sha256(token_hash);
-- expands: null only where a trigger fills it in
create unique index tokens_by_proof on api_tokens (proof_hash);

create function fill_in_proof() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  new.proof_hash := coalesce(new.proof_hash, sha256(new.token_hash));
  return new;
end $$;
create trigger tokens_have_proofs before insert on api_tokens for each row execute function fill_in_proof();

-- How a user gets their first token: a code that works once and for a short time. Only its hash is kept.
create table invitations (
  invitation_id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users,
  code_hash bytea not null unique,
  -- Null: by the owner of the database.
  created_by uuid references users,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  redeemed_at timestamptz,
  token_id uuid references api_tokens
);

-- Changes that one administrator alone may not make. Pending ones take effect when a second administrator confirms
-- them, or at `takes_effect_at`; anyone who decides on something may object until then.
create table changes (
  change_id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('grant_roles', 'enable_user', 'invite_again', 'set_policy', 'change_provider')),
  user_id uuid references users,
  detail jsonb not null default '{}',
  proposed_by uuid references users,
  proposed_at timestamptz not null default clock_timestamp(),
  takes_effect_at timestamptz,
  state text not null default 'pending' check (state in ('pending', 'effective', 'rejected')),
  decided_by uuid references users,
  decided_at timestamptz,
  constraint confirmed_by_another check (decided_by is null or state <> 'effective' or decided_by <> proposed_by)
);
create index changes_pending on changes (takes_effect_at) where state = 'pending';

-- The last one counts: what approvals a run needs, and how long a change waits for a second administrator.
create table policies (
  policy_id bigint generated always as identity primary key,
  policy jsonb not null,
  set_at timestamptz not null default clock_timestamp(),
  change_id uuid references changes
);
insert into policies (policy) values (
  '{"rules": [{"name": "one checker", "when": {}, "steps": [{"role": "checker"}]}], "changes": {"delayHours": 72}}'
);

-- What people write: comments and reasons. It can be erased; the audit trail holds the hash of it and of a salt that is
-- erased with it, so that nothing can be guessed from the hash.
create table remarks (
  remark_id uuid primary key default gen_random_uuid(),
  run_id uuid references runs,
  written_by uuid references users,
  written_at timestamptz not null default clock_timestamp(),
  salt uuid default gen_random_uuid(),
  body text,
  hash bytea not null,
  erased_at timestamptz
);

-- Which provider, and which account there, this record belongs to.
create table provider_accounts (
  account text primary key,
  api_address text not null,
  -- SHA-256 of the access key's id, in hex.
  access_key text not null,
  is_sandbox boolean not null,
  recorded_at timestamptz not null default clock_timestamp()
);
