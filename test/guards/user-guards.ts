import { type Guard, MIGRATIONS } from './guard.ts';

/** Checks of a user's identity, roles and tokens. */

const ACCOUNTS = `${MIGRATIONS}/0027_user-accounts.sql`;
const SESSIONS = `${MIGRATIONS}/0043_sessions.sql`;
const INVITING = `${MIGRATIONS}/0075_invitations-that-end.sql`;

const proofs = (name: string) => ({ file: 'test/store/proofs.services.ts', name });
const changes = (name: string) => ({ file: 'test/store/changes.services.ts', name });
const lone = (name: string) => ({ file: 'test/store/lone-administrator.services.ts', name });

const SIGNING_IN: readonly Guard[] = [
  {
    id: 'token-expires',
    against: 'a token works after it has expired',
    file: SESSIONS,
    text: 'and (expires_at is null or expires_at > clock_timestamp())\n    and (session_id is null',
    without: 'and (session_id is null',
    test: proofs('decide_run requires a valid token'),
  },
  {
    id: 'token-revoked',
    against: 'a token works after it was revoked',
    file: SESSIONS,
    text: 'revoked_at is null and users.disabled_at is null',
    without: 'users.disabled_at is null',
    test: proofs('decide_run requires a valid token'),
  },
  {
    id: 'user-disabled',
    against: 'the token of a disabled user works',
    file: SESSIONS,
    text: 'proof_hash = sha256(p_proof) and revoked_at is null and users.disabled_at is null',
    without: 'proof_hash = sha256(p_proof) and revoked_at is null',
    test: proofs('issue_token requires a valid token'),
    behind: 'the roles of a disabled user do not count, and their tokens are revoked',
  },
  {
    id: 'proof-hashed',
    against: 'the hash of a token in a backup works as a token',
    file: SESSIONS,
    text: 'where proof_hash = sha256(p_proof)',
    without: 'where proof_hash in (sha256(p_proof), p_proof)',
    test: proofs('decide_run requires a valid token'),
  },
  {
    id: 'roles-of-disabled',
    against: 'the roles of a disabled user still count',
    file: ACCOUNTS,
    text: 'where users.user_id = p_user and disabled_at is null and role_may',
    without: 'where users.user_id = p_user and role_may',
    test: proofs('a disabled user has no role, whoever asks'),
    behind: 'their tokens are invalid',
  },
  {
    id: 'permission-asked',
    against: 'a user does something that none of their roles permits',
    file: ACCOUNTS,
    text: 'if not user_may(p_user, p_permission) then',
    without: 'if false then',
    test: proofs('decide_run requires the permission'),
  },
  {
    id: 'permissions-of-roles',
    against: 'an administrator decides on runs',
    file: `${MIGRATIONS}/0041_accounts.sql`,
    text: `'read_cases', 'erase_case')`,
    without: `'read_cases', 'erase_case', 'decide_run')`,
    test: {
      file: 'test/store/authority-tables.services.ts',
      name: 'each role has the same permissions in the database as in the code',
    },
  },
  {
    id: 'deciding-roles',
    against: 'checker does not count as a deciding role',
    file: `${MIGRATIONS}/0031_onboarding.sql`,
    text: `p_role in ('checker', 'treasurer', 'onboarder', 'administrator')`,
    without: `p_role in ('treasurer', 'onboarder', 'administrator')`,
    test: {
      file: 'test/store/authority-tables.services.ts',
      name: 'each role has the same permissions in the database as in the code',
    },
  },
  {
    id: 'administrators-apart',
    against: 'an administrator also has another role',
    file: `${MIGRATIONS}/0006_users.sql`,
    text: `select count(*) > 1 and bool_or(role = 'administrator')`,
    without: 'select count(*) < 0',
    test: changes('is never combined with the role of an administrator'),
  },
];

const INVITATIONS: readonly Guard[] = [
  {
    id: 'own-tokens',
    against: 'someone revokes the tokens of other users',
    file: `${MIGRATIONS}/0054_sign-in-under-attack.sql`,
    text: `if me.user_id is null or v_owner is distinct from me.user_id then
    v_refusal := objection_to(me.user_id, me.token_id, 'manage_users', null, 'revoke_token');`,
    without: `if me.user_id is null then
    v_refusal := objection_to(me.user_id, me.token_id, 'manage_users', null, 'revoke_token');`,
    test: lone('only an administrator revokes the token of another user'),
  },
  {
    id: 'invited-again',
    against: 'one administrator takes over a user who has signed in before',
    file: INVITING,
    text: 'if exists (select from api_tokens where user_id = p_user)\n    or',
    without: 'if',
    test: lone('one administrator cannot invite a user with a token again, even without a deciding role'),
  },
  {
    id: 'invited-decider',
    against: 'one administrator takes over a new checker',
    file: INVITING,
    text: 'or decides(p_user) then',
    without: 'then',
    test: lone('one administrator cannot invite a user with a deciding role, even if they never had a token'),
  },
  {
    id: 'invited-decider-to-be',
    against: 'one administrator keeps the code of a user whom another one then makes a checker',
    file: INVITING,
    text: 'or v_roles is not null\n',
    without: '\n',
    test: lone('a user with a pending deciding role is not invited before it takes effect'),
    behind: 'signed-in-again',
  },
  {
    id: 'invited-once-they-decide',
    against: 'an invitation code is made before the roles that were confirmed with it',
    file: INVITING,
    text: `if v_roles is not null then return jsonb_build_object('change', change_state(v_roles)); end if;`,
    without: '',
    test: lone('a user with a pending deciding role is not invited before it takes effect'),
    behind: 'signed-in-again',
  },
  {
    id: 'signed-in-again',
    against: 'a token that one administrator could obtain decides on runs when its user gets a deciding role',
    file: INVITING,
    text: 'if not is_setting_up() and not decides(v.user_id)',
    without: 'if false',
    test: lone('tokens and codes from before a user gets a deciding role are not valid afterwards'),
  },
  {
    id: 'no-token-meanwhile',
    against: 'a code is redeemed while its user gets a deciding role',
    file: `${MIGRATIONS}/0048_sign-in-in-order.sql`,
    text: 'for share of users for update of invitations;',
    without: ';',
    test: lone('a token that is issued while a user gets a deciding role is not valid afterwards'),
  },
  {
    id: 'no-further-token-meanwhile',
    against: 'a token that is being revoked makes another one',
    file: `${MIGRATIONS}/0054_sign-in-under-attack.sql`,
    text: `perform from users where user_id = me.user_id for share;\n  select * into me from session_of(p_proof);\n  if me.user_id is null then return refused('unauthenticated', 'the token is unknown`,
    without: `if me.user_id is null then return refused('unauthenticated', 'the token is unknown`,
    test: lone('a token is not issued by one that is revoked meanwhile'),
  },
  {
    id: 'confirmation-used-up',
    against: 'one confirmation serves for many invitations',
    file: INVITING,
    text: `not p_change.detail ?| array['used', 'ended']`,
    without: `not p_change.detail ? 'ended'`,
    test: changes('of a user who may decide, or has signed in before, needs a second administrator each time'),
  },
  {
    id: 'one-code',
    against: 'an older invitation code works beside a newer one',
    file: INVITING,
    text: 'where user_id = p_user and redeemed_at is null and expires_at > clock_timestamp();',
    without: 'where false;',
    test: changes('works once, until it expires or a newer one replaces it'),
  },
  {
    id: 'code-once',
    against: 'an invitation code works twice',
    file: `${MIGRATIONS}/0048_sign-in-in-order.sql`,
    text: 'where code_hash = sha256(p_code) and redeemed_at is null and',
    without: 'where code_hash = sha256(p_code) and',
    test: changes('works once, until it expires or a newer one replaces it'),
  },
  {
    id: 'code-expires',
    against: 'an invitation code works after it has expired',
    file: `${MIGRATIONS}/0048_sign-in-in-order.sql`,
    text: 'expires_at > clock_timestamp() and disabled_at is null',
    without: 'disabled_at is null',
    test: changes('works once, until it expires or a newer one replaces it'),
  },
  {
    id: 'code-of-disabled',
    against: 'the invitation code of a disabled user gives a token',
    file: `${MIGRATIONS}/0048_sign-in-in-order.sql`,
    text: 'and redeemed_at is null and expires_at > clock_timestamp() and disabled_at is null',
    without: 'and redeemed_at is null and expires_at > clock_timestamp()',
    test: lone('the code of a user who was disabled since cannot be redeemed'),
    behind: 'user-disabled; disabling ends the code',
  },
  {
    id: 'code-hashed',
    against: 'the hash of an invitation code in a backup works as a code',
    file: `${MIGRATIONS}/0048_sign-in-in-order.sql`,
    text: 'where code_hash = sha256(p_code)',
    without: 'where code_hash in (sha256(p_code), p_code)',
    test: lone('what the record stores of a code cannot be redeemed'),
  },
  {
    id: 'first-administrator',
    against: 'a first administrator is created although there is one',
    file: SESSIONS,
    text: 'if not p_recover and exists (',
    without: 'if false and exists (',
    test: changes('is not created again while one can sign in'),
  },
  {
    id: 'first-code-short',
    against: 'the code of the first administrator is valid for long',
    file: 'store/users/owner-users.ts',
    text: 'const INVITATION_LASTS_MS = 15 * 60_000;',
    without: 'const INVITATION_LASTS_MS = 15 * 86_400_000;',
    test: changes('is not created again while one can sign in'),
  },
];

export const USER_GUARDS: readonly Guard[] = [...SIGNING_IN, ...INVITATIONS];
