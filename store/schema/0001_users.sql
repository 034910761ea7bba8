create table users (
  user_id uuid primary key default gen_random_uuid(),
  name text not null unique,
  login text not null unique constraint login_form check (login ~ '^[a-z0-9][a-z0-9._@+-]{0,63}$'),
  -- Where codes to sign in go, if servers send mails.
  mail text constraint mail_form check (mail ~ '^[^@[:space:]]+@[^@[:space:]]+$' and length(mail) <= 254),
  created_at timestamptz not null default now(),
  disabled_at timestamptz
);

create table user_roles (
  user_id uuid not null references users,
  role text not null check (role in ('maker', 'checker', 'treasurer', 'onboarder', 'viewer', 'auditor', 'administrator')),
  granted_at timestamptz not null default clock_timestamp(),
  primary key (user_id, role)
);

-- Users may be limited to accounts with the provider. A user without an entry here may use all of them.
create table user_accounts (
  user_id uuid not null references users,
  account text not null,
  limited_at timestamptz not null default clock_timestamp(),
  primary key (user_id, account)
);

-- A bearer token is 32 random bytes. Its token hash is their SHA-256: what a server shows to the database to act in the user's name.
-- Stored is only the hash of that hash, so that nobody who can read these tables can act for anyone.
create table api_tokens (
  token_id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users,
  stored_hash bytea not null unique,
  label text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  -- The token or session that it was made with. Null: by a code.
  issued_by uuid references api_tokens,
  -- What it may be used for, of all that the roles of its user permit (`domain/users/token-scope.ts`).
  scopes text[] not null default '{read}' constraint known_scopes check (scopes <@ array['read', 'submit', 'decide'] and 'read' = any(scopes))
);

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
  token_id uuid references api_tokens,
  -- Of example users of a sandbox, who are signed in at the command line and at the console.
  keeps_sign_ins boolean not null default false
);

create table sessions (
  session_id uuid primary key references api_tokens (token_id),
  method text not null check (method in ('password', 'link', 'oidc')),
  begun_at timestamptz not null default clock_timestamp(),
  idle_seconds integer not null check (idle_seconds > 0),
  -- Requests that were under way when the cookie changed may still read with the former one.
  previous_hash bytea,
  previous_until timestamptz,
  browser text,
  address text,
  -- When the user has last shown who they are. Null: not known, as where the sign-in of the company does not say it.
  authenticated_at timestamptz,
  -- Whether its sign-in takes a second factor that was not shown yet.
  awaits_factor boolean not null default false,
  -- The user at the browser, of a sign-in by password.
  known_id uuid
);
create unique index sessions_by_previous on sessions (previous_hash);

create table passwords (
  user_id uuid primary key references users,
  salt bytea not null check (length(salt) = 16),
  -- SHA-256 of the derived key: who reads it cannot sign in with it.
  verifier bytea not null,
  -- Since when the user could sign in by a password all the time.
  since timestamptz not null default clock_timestamp(),
  set_at timestamptz not null default clock_timestamp()
);

create table password_tries (
  try_id uuid primary key default gen_random_uuid(),
  login text not null,
  bucket text not null,
  begun_at timestamptz not null default clock_timestamp(),
  -- The secret that the browser has shown at this try; null: none.
  browser_hash bytea
);

-- Failed tries, for all servers. A browser that has signed in before counts by itself, so that nobody who tries passwords of
-- others elsewhere can keep it out.
create table sign_in_tries (
  bucket text primary key,
  failures integer not null default 0,
  last_at timestamptz not null default clock_timestamp()
);

-- Of it the salts of logins without a password are made, which look like any other and never change.
create table sign_in_secrets (
  only_one boolean primary key default true check (only_one),
  secret bytea not null
);
insert into sign_in_secrets (secret) values (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));

create table known_browsers (
  user_id uuid not null references users,
  browser_hash bytea not null,
  seen_at timestamptz not null default clock_timestamp(),
  -- A user at a browser, whatever secret the browser has meanwhile: tries are counted by it.
  known_id uuid not null default gen_random_uuid(),
  -- When the user has last shown a second factor in a session of it: tries of codes are counted by it from then on.
  factor_shown_at timestamptz,
  primary key (user_id, browser_hash)
);
create index known_browsers_by_browser on known_browsers (browser_hash);
create index known_browsers_by_id on known_browsers (known_id) where factor_shown_at is not null;

-- Identities of a company's own sign-in (OpenID Connect). Workers write the keys, servers verify with them: neither can sign
-- somebody in alone.
create table identity_keys (
  issuer text not null,
  audience text not null,
  key_id text not null,
  modulus bytea not null,
  exponent integer not null,
  read_at timestamptz not null default clock_timestamp(),
  primary key (issuer, audience, key_id)
);

create table user_identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null unique references users,
  since timestamptz not null default clock_timestamp(),
  primary key (issuer, subject)
);

create table identity_links (
  request_hash bytea primary key,
  user_id uuid not null references users,
  session_id uuid not null references api_tokens (token_id),
  expires_at timestamptz not null
);

create table used_identity_tokens (
  token_hash bytea primary key,
  expires_at timestamptz not null
);

-- Second factors. The seed of an app that shows codes is encrypted with a data key.
create table totp_factors (
  totp_id uuid primary key,
  user_id uuid not null references users,
  session_id uuid not null references api_tokens (token_id),
  wrapped bytea not null,
  wrapped_by text not null,
  wrapped_at timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default clock_timestamp(),
  confirmed_at timestamptz,
  last_step bigint not null default 0,
  last_used_at timestamptz,
  -- Null: for decisions it counts once an administrator has confirmed it.
  counts_at timestamptz default clock_timestamp()
);
create unique index one_totp on totp_factors (user_id) where confirmed_at is not null;
create unique index one_totp_to_confirm on totp_factors (user_id) where confirmed_at is null;

create table passkeys (
  passkey_id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users,
  credential_id bytea not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  label text not null,
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz,
  -- Null: for decisions it counts once an administrator has confirmed it.
  counts_at timestamptz default clock_timestamp()
);

create table passkey_challenges (
  challenge bytea primary key,
  session_id uuid not null references api_tokens (token_id),
  user_id uuid not null references users,
  nonce bytea not null,
  -- Null: of a new passkey.
  kind text,
  subject_id uuid,
  decision text,
  content_hash text,
  expires_at timestamptz not null
);

-- A second factor that was shown for one decision. Of a passkey everything is kept that its signature can be verified by.
create table step_ups (
  step_up_id uuid primary key default gen_random_uuid(),
  session_id uuid not null references api_tokens (token_id),
  user_id uuid not null references users,
  kind text not null check (kind in ('run', 'order', 'manual_outcome', 'schedule', 'sign_in', 'change', 'session')),
  subject_id uuid not null,
  decision text not null,
  content_hash text not null,
  factor text not null check (factor in ('totp', 'passkey')),
  made_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  used_at timestamptz,
  nonce bytea,
  public_key bytea,
  client_data bytea,
  authenticator_data bytea,
  signature bytea
);
create index step_ups_by_session on step_ups (session_id);

-- What each user has asked of the disk and the processors today (UTC). Earlier days are removed by the next use.
create table daily_uses (
  user_id uuid not null references users,
  day date not null,
  kind text not null check (kind in ('upload', 'report', 'ending')),
  uses integer not null,
  bytes bigint not null,
  primary key (user_id, kind, day)
);
