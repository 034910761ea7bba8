import type { Guard } from './guard.ts';

const CODES_BY_MAIL = 'test/store/codes-by-mail.services.ts';
const TOKEN_HASHES = 'test/store/token-hashes.services.ts';
const AUTHORITY_TABLES = 'test/store/authority-tables.services.ts';
const CHANGES = 'test/store/changes.services.ts';
const CODES = 'test/store/codes-of-users.services.ts';
const LONE_ADMINISTRATOR = 'test/store/lone-administrator.services.ts';
const SIGN_INS_ENDED = 'test/store/sign-ins-ended.services.ts';

/** Checks of a user's identity, roles and tokens. */
export const USER_GUARDS: readonly Guard[] = [
  {
    id: 'token-expires',
    against: 'a token works after it has expired',
    without: 'and (session_id is null',
    test: { file: TOKEN_HASHES, name: 'decide_run requires a valid token' },
  },
  {
    id: 'token-revoked',
    against: 'a token works after it was revoked',
    without: 'where stored_hash = sha256(p_token_hash) and users.disabled_at is null',
    test: { file: TOKEN_HASHES, name: 'decide_run requires a valid token' },
  },
  {
    id: 'user-disabled',
    against: 'the token of a disabled user works',
    without: 'where stored_hash = sha256(p_token_hash) and revoked_at is null',
    test: { file: TOKEN_HASHES, name: 'issue_token requires a valid token' },
    behind: 'the roles of a disabled user do not count, and their tokens are revoked',
  },
  {
    id: 'token-hash-hashed',
    against: 'the hash of a token in a backup works as a token',
    without:
      'where stored_hash in (sha256(p_token_hash), p_token_hash) and revoked_at is null and users.disabled_at is null',
    test: { file: TOKEN_HASHES, name: 'decide_run requires a valid token' },
  },
  {
    id: 'roles-of-disabled',
    against: 'the roles of a disabled user still count',
    without: 'where users.user_id = p_user and role_may(user_roles.role, p_permission))',
    test: { file: TOKEN_HASHES, name: 'a disabled user has no role, whoever asks' },
    behind: 'their tokens are invalid',
  },
  {
    id: 'permission-asked',
    against: 'a user does something that none of their roles permits',
    without: 'if false then',
    test: { file: TOKEN_HASHES, name: 'decide_run requires the permission' },
  },
  {
    id: 'permissions-of-roles',
    against: 'an administrator decides on runs',
    without: "'read_cases', 'erase_case', 'erase_run', 'decide_run')",
    test: { file: AUTHORITY_TABLES, name: 'each role has the same permissions in the database as in the code' },
  },
  {
    id: 'deciding-roles',
    against: 'checker does not count as a deciding role',
    without: "select p_role in ('treasurer', 'onboarder', 'administrator')",
    test: { file: AUTHORITY_TABLES, name: 'each role has the same permissions in the database as in the code' },
  },
  {
    id: 'administrators-apart',
    against: 'an administrator also has another role',
    without: 'if (select count(*) < 0 from user_roles where user_id = new.user_id) then',
    test: { file: CHANGES, name: 'is never combined with the role of an administrator' },
  },
  {
    id: 'own-tokens',
    against: 'someone revokes the tokens of other users',
    without: 'if p_user is not null then',
    test: { file: LONE_ADMINISTRATOR, name: 'only an administrator revokes the token of another user' },
  },
  {
    id: 'ended-by-what-may-as-much',
    against: 'a token that only reads ends the sessions and tokens of its user',
    without: 'and false',
    test: { file: SIGN_INS_ENDED, name: 'ends itself, and those of its user that may do no more' },
  },
  {
    id: 'factor-to-end-of-others',
    against: 'whoever has the session of an administrator keeps everybody out',
    without: 'v_refusal := null;',
    test: { file: SIGN_INS_ENDED, name: 'shows a second factor where changes take one' },
  },
  {
    id: 'endings-a-day',
    against: 'one administrator keeps everybody out',
    without: "v_refusal := '{}';",
    test: { file: SIGN_INS_ENDED, name: 'does not so without end, nor with tokens' },
  },
  {
    id: 'who-ended-sessions-waits',
    against: 'one administrator ends the sessions of all who might object to a change of theirs',
    without: '',
    test: { file: SIGN_INS_ENDED, name: 'has their own changes wait for a second one' },
  },
  {
    id: 'sign-in-with-its-factor',
    against: 'who cannot sign in for want of a second factor counts as able to object to a change',
    without: '',
    test: { file: SIGN_INS_ENDED, name: 'lacks the second factor that a sign-in takes' },
  },
  {
    id: 'invited-again',
    against: 'one administrator takes over a user who has signed in before',
    without: 'if v_roles is not null',
    test: {
      file: LONE_ADMINISTRATOR,
      name: 'one administrator cannot invite a user with a token again, even without a deciding role',
    },
  },
  {
    id: 'invited-decider',
    against: 'one administrator takes over a new checker',
    without: 'then',
    test: {
      file: LONE_ADMINISTRATOR,
      name: 'one administrator cannot invite a user with a deciding role, even if they never had a token',
    },
  },
  {
    id: 'invited-decider-to-be',
    against: 'one administrator keeps the code of a user whom another one then makes a checker',
    without: '',
    test: {
      file: LONE_ADMINISTRATOR,
      name: 'a user with a pending deciding role is not invited before it takes effect',
    },
    behind: 'signed-in-again',
  },
  {
    id: 'invited-once-they-decide',
    against: 'an invitation code is made before the roles that were confirmed with it',
    without: '',
    test: {
      file: LONE_ADMINISTRATOR,
      name: 'a user with a pending deciding role is not invited before it takes effect',
    },
    behind: 'signed-in-again',
  },
  {
    id: 'signed-in-again',
    against: 'a token that one administrator could obtain decides on runs when its user gets a deciding role',
    without: 'if false',
    test: {
      file: LONE_ADMINISTRATOR,
      name: 'tokens and codes from before a user gets a deciding role are not valid afterwards',
    },
  },
  {
    id: 'no-token-meanwhile',
    against: 'a code is redeemed while its user gets a deciding role',
    without: ';',
    test: {
      file: LONE_ADMINISTRATOR,
      name: 'a token that is issued while a user gets a deciding role is not valid afterwards',
    },
  },
  {
    id: 'no-further-token-meanwhile',
    against: 'a token that is being revoked makes another one',
    without:
      "if me.user_id is null then return refused('unauthenticated', 'the token is unknown, expired or revoked'); end if;",
    test: { file: LONE_ADMINISTRATOR, name: 'a token is not issued by one that is revoked meanwhile' },
  },
  {
    id: 'confirmation-used-up',
    against: 'one confirmation serves for many invitations',
    without: "select p_change.kind = 'invite_again' and p_change.state = 'effective' and not p_change.detail ? 'ended'",
    test: {
      file: CODES,
      name: 'of a user who may decide, or has signed in before, needs a second administrator each time',
    },
  },
  {
    id: 'one-code',
    against: 'an older invitation code works beside a newer one',
    without: 'perform 1;',
    test: { file: CODES, name: 'works once, until it expires or a newer one replaces it' },
  },
  {
    id: 'no-code-without-mail',
    against: 'an administrator gets codes of others to see by adding users without an address',
    without: "select refused('conflict', '') where false",
    test: { file: CODES_BY_MAIL, name: 'is not made for a user without an address' },
  },
  {
    id: 'code-seen-by-its-user',
    against: 'who makes a code sees it beside the mail, and signs in as its user first',
    without: 'return { invitation: { code, expiresAt: until } };',
    test: { file: CODES_BY_MAIL, name: 'goes to its user, is in no answer' },
  },
  {
    id: 'unsent-code-ends',
    against: 'a code works whose mail was not sent to its user, or late, or lies with a mail server that refused it',
    without: '',
    test: { file: CODES_BY_MAIL, name: 'that is not sent is said to be so, and works no more' },
  },
  {
    id: 'code-of-former-address',
    against: 'a code works still that went to an address which two administrators have replaced',
    without: '',
    test: { file: CODES_BY_MAIL, name: 'is changed by two administrators, never by waiting' },
  },
  {
    id: 'mail-never-by-time',
    against: 'one administrator has codes of somebody sent to themselves by waiting',
    without: "select removes_somebody(p_kind) or erases_a_person(p_kind) or p_kind in ('go_live', 'add_factor')",
    test: { file: CODES_BY_MAIL, name: 'is changed by two administrators, never by waiting' },
  },
  {
    id: 'code-ends-sign-ins',
    against: 'whoever used an earlier code of a user stays signed in as them',
    without: '',
    test: {
      file: CODES,
      name: 'a code that is exchanged for a token ends all by which its user could sign in before',
    },
  },
  {
    id: 'link-ends-sign-ins',
    against: 'whoever used an earlier link of a user stays signed in as them',
    without: '',
    test: { file: CODES, name: 'a code that is used as a link ends all by which its user could sign in before' },
  },
  {
    id: 'code-once',
    against: 'an invitation code works twice',
    without: 'where code_hash = sha256(p_code) and expires_at > clock_timestamp() and disabled_at is null',
    test: { file: CODES, name: 'works once, too, where it ends no other sign-in' },
  },
  {
    id: 'code-expires',
    against: 'an invitation code works after it has expired',
    without: 'where code_hash = sha256(p_code) and redeemed_at is null and disabled_at is null',
    test: { file: CODES, name: 'works once, until it expires or a newer one replaces it' },
  },
  {
    id: 'code-of-disabled',
    against: 'the invitation code of a disabled user gives a token',
    without: 'where code_hash = sha256(p_code) and redeemed_at is null and expires_at > clock_timestamp()',
    test: { file: LONE_ADMINISTRATOR, name: 'the code of a user who was disabled since cannot be redeemed' },
    behind: 'user-disabled; disabling ends the code',
  },
  {
    id: 'code-hashed',
    against: 'the hash of an invitation code in a backup works as a code',
    without:
      'where code_hash in (sha256(p_code), p_code) and redeemed_at is null and expires_at > clock_timestamp() and disabled_at is null',
    test: { file: LONE_ADMINISTRATOR, name: 'what the database stores of a code cannot be redeemed' },
  },
  {
    id: 'first-administrator',
    against: 'a first administrator is created although there is one',
    without: 'if false and exists (',
    test: { file: CODES, name: 'is not created again while one can sign in' },
  },
  {
    id: 'first-code-short',
    against: 'the code of the first administrator is valid for long',
    without: 'const INVITATION_LASTS_MS = 15 * 86_400_000;',
    test: { file: CODES, name: 'is not created again while one can sign in' },
  },
];
