import { type Guard, MIGRATIONS } from './guard.ts';

/** Who somebody is, what their roles allow, and how they come to a token. */

const AUTHORITY = `${MIGRATIONS}/0007_authority.sql`;
const CHANGES = `${MIGRATIONS}/0008_changes.sql`;
const TOKENS = `${MIGRATIONS}/0009_tokens.sql`;

const proofs = (name: string) => ({ file: 'test/store/proofs.services.ts', name });
const changes = (name: string) => ({ file: 'test/store/changes.services.ts', name });
const lone = (name: string) => ({ file: 'test/store/lone-administrator.services.ts', name });

const SIGNING_IN: readonly Guard[] = [
  {
    id: 'token-expires',
    against: 'a token works after its time',
    file: AUTHORITY,
    text: 'and (expires_at is null or expires_at > clock_timestamp())',
    without: '',
    test: proofs('decide_run asks for a token that is valid'),
  },
  {
    id: 'token-revoked',
    against: 'a token works though it was revoked',
    file: AUTHORITY,
    text: 'revoked_at is null and users.disabled_at is null',
    without: 'users.disabled_at is null',
    test: proofs('decide_run asks for a token that is valid'),
  },
  {
    id: 'user-disabled',
    against: 'the token of a disabled user works',
    file: AUTHORITY,
    text: 'proof_hash = sha256(p_proof) and revoked_at is null and users.disabled_at is null',
    without: 'proof_hash = sha256(p_proof) and revoked_at is null',
    test: proofs('issue_token asks for a token that is valid'),
    behind: 'no role of a disabled user counts, and disabling revokes their tokens',
  },
  {
    id: 'proof-hashed',
    against: 'what a backup holds of a token works as one',
    file: AUTHORITY,
    text: 'where proof_hash = sha256(p_proof)',
    without: 'where proof_hash in (sha256(p_proof), p_proof)',
    test: proofs('decide_run asks for a token that is valid'),
  },
  {
    id: 'roles-of-disabled',
    against: 'a role of a disabled user counts',
    file: AUTHORITY,
    text: 'where users.user_id = p_user and disabled_at is null and role_may',
    without: 'where users.user_id = p_user and role_may',
    test: proofs('of a user who is disabled no role counts'),
    behind: 'their tokens sign nobody in',
  },
  {
    id: 'permission-asked',
    against: 'somebody does what none of their roles may',
    file: AUTHORITY,
    text: 'if user_may(p_user, p_permission) then return null; end if;',
    without: 'return null;',
    test: proofs('decide_run asks for the permission'),
  },
  {
    id: 'permissions-of-roles',
    against: 'an administrator decides on runs',
    file: AUTHORITY,
    text: `'manage_users', 'confirm_change', 'object_to_change', 'erase_remark')`,
    without: `'manage_users', 'confirm_change', 'object_to_change', 'erase_remark', 'decide_run')`,
    test: { file: 'test/store/authority-tables.services.ts', name: 'each role may do the same by the database' },
  },
  {
    id: 'deciding-roles',
    against: 'the role of a checker is taken for one that decides on nothing',
    file: AUTHORITY,
    text: `p_role in ('checker', 'treasurer', 'administrator')`,
    without: `p_role in ('treasurer', 'administrator')`,
    test: { file: 'test/store/authority-tables.services.ts', name: 'each role may do the same by the database' },
  },
  {
    id: 'administrators-apart',
    against: 'an administrator also submits or decides',
    file: `${MIGRATIONS}/0006_users.sql`,
    text: `select count(*) > 1 and bool_or(role = 'administrator')`,
    without: 'select count(*) < 0',
    test: changes('is never held beside that of an administrator'),
  },
];

const INVITATIONS: readonly Guard[] = [
  {
    id: 'own-tokens',
    against: 'somebody revokes the tokens of others',
    file: TOKENS,
    text: 'if me.user_id is null or v_owner is distinct from me.user_id then',
    without: 'if me.user_id is null then',
    test: lone('nobody revokes the token of another'),
  },
  {
    id: 'invited-again',
    against: 'one administrator takes over a user who has signed in before',
    file: TOKENS,
    text: 'if exists (select from api_tokens where user_id = p_user)\n    or',
    without: 'if',
    test: lone('a user who has a token is not invited again alone'),
  },
  {
    id: 'invited-decider',
    against: 'one administrator takes over a new checker',
    file: TOKENS,
    text: 'or decides(p_user) then',
    without: 'then',
    test: lone('a user who decides on something is not invited alone'),
  },
  {
    id: 'invited-decider-to-be',
    against: 'one administrator holds the code of a user before another one makes them a checker',
    file: TOKENS,
    text: 'or v_roles is not null\n',
    without: '\n',
    test: lone('a user who shall decide on something is not invited before they may'),
    behind: 'signed-in-again',
  },
  {
    id: 'invited-once-they-decide',
    against: 'a code is made before the roles that were confirmed with it',
    file: TOKENS,
    text: `if v_roles is not null then return jsonb_build_object('change', change_state(v_roles)); end if;`,
    without: '',
    test: lone('a user who shall decide on something is not invited before they may'),
    behind: 'signed-in-again',
  },
  {
    id: 'signed-in-again',
    against: 'a token that one administrator could get decides on runs once its user does',
    file: CHANGES,
    text: 'if not is_setting_up() and not decides(v.user_id)',
    without: 'if false',
    test: lone('tokens and codes from before a user decides on something'),
  },
  {
    id: 'no-token-meanwhile',
    against: 'a code becomes a token while its user comes to decide on something',
    file: TOKENS,
    text: 'for share of users for update of invitations;',
    without: ';',
    test: lone('a token that is made while a user comes to decide'),
  },
  {
    id: 'no-further-token-meanwhile',
    against: 'a token that is being ended makes another one',
    file: TOKENS,
    text: 'perform from users where user_id = me.user_id for share;\n  select * into me from session_of(p_proof);',
    without: '',
    test: lone('a token is not made by one that ends meanwhile'),
  },
  {
    id: 'confirmation-used-up',
    against: 'one confirmation serves for many invitations',
    file: TOKENS,
    text: `and not detail ? 'used'`,
    without: '',
    test: changes('takes a second administrator each time'),
  },
  {
    id: 'one-code',
    against: 'an older code works beside a newer one',
    file: TOKENS,
    text: 'where user_id = p_user and redeemed_at is null and expires_at > clock_timestamp();',
    without: 'where false;',
    test: changes('works once, in its time, and no longer once there is a newer one'),
  },
  {
    id: 'code-once',
    against: 'a code works twice',
    file: TOKENS,
    text: 'where code_hash = sha256(p_code) and redeemed_at is null and',
    without: 'where code_hash = sha256(p_code) and',
    test: changes('works once, in its time, and no longer once there is a newer one'),
  },
  {
    id: 'code-expires',
    against: 'a code works after its time',
    file: TOKENS,
    text: 'expires_at > clock_timestamp() and disabled_at is null',
    without: 'disabled_at is null',
    test: changes('works once, in its time, and no longer once there is a newer one'),
  },
  {
    id: 'code-of-disabled',
    against: 'the code of a disabled user gives a token',
    file: TOKENS,
    text: 'and redeemed_at is null and expires_at > clock_timestamp() and disabled_at is null',
    without: 'and redeemed_at is null and expires_at > clock_timestamp()',
    test: lone('the code of a user who was disabled since gives no token'),
    behind: 'user-disabled; disabling ends the code',
  },
  {
    id: 'code-hashed',
    against: 'what a backup holds of a code works as one',
    file: TOKENS,
    text: 'where code_hash = sha256(p_code)',
    without: 'where code_hash in (sha256(p_code), p_code)',
    test: lone('what the record keeps of a code is no code'),
  },
  {
    id: 'first-administrator',
    against: 'a first administrator is made while there is one',
    file: TOKENS,
    text: 'if not p_recover and exists (',
    without: 'if false and exists (',
    test: changes('is not made anew while one can sign in'),
  },
  {
    id: 'first-code-short',
    against: 'the code of the first administrator lies about for long',
    file: 'store/users/owner-users.ts',
    text: 'const INVITATION_LASTS_MS = 15 * 60_000;',
    without: 'const INVITATION_LASTS_MS = 15 * 86_400_000;',
    test: changes('is not made anew while one can sign in'),
  },
];

export const USER_GUARDS: readonly Guard[] = [...SIGNING_IN, ...INVITATIONS];
