import { type Guard, MIGRATIONS } from './guard.ts';

/** Checks of changes that take two administrators, or a delay in which others may object. */

const CHANGES = `${MIGRATIONS}/0008_changes.sql`;
const SESSIONS = `${MIGRATIONS}/0043_sessions.sql`;
const BEGUN = `${MIGRATIONS}/0027_user-accounts.sql`;
/** Where a change is proposed and made effective. */
const PROPOSED = `${MIGRATIONS}/0075_invitations-that-end.sql`;

const changes = (name: string) => ({ file: 'test/store/changes.services.ts', name });
const byTime = (name: string) => ({ file: 'test/store/changes-by-time.services.ts', name });
const lone = (name: string) => ({ file: 'test/store/lone-administrator.services.ts', name });
const tables = (name: string) => ({ file: 'test/store/record-guards.services.ts', name });

const TWO_ADMINISTRATORS: readonly Guard[] = [
  {
    id: 'change-waits',
    against: 'one administrator alone changes deciding roles or the policy',
    file: BEGUN,
    text: 'if is_setting_up() then perform make_effective(v_change, null); end if;',
    without: 'perform make_effective(v_change, null);',
    test: changes('then needs a second administrator, who is neither the proposer nor the user who benefits'),
  },
  {
    id: 'deciding-roles-wait',
    against: 'a new user has a deciding role at once',
    file: CHANGES,
    text: 'from unnest(p_roles) as given (role) where not is_deciding(role);',
    without: 'from unnest(p_roles) as given (role);',
    test: changes('then needs a second administrator, who is neither the proposer nor the user who benefits'),
  },
  {
    id: 'change-in-its-time',
    against: 'a change takes effect before its delay is over',
    file: `${MIGRATIONS}/0048_sign-in-in-order.sql`,
    text: `p_change.state = 'pending' and p_change.takes_effect_at <= clock_timestamp()`,
    without: `p_change.state = 'pending'`,
    test: changes('is granted after the delay if nobody objected, and not before'),
  },
  {
    id: 'own-change',
    against: 'an administrator confirms a change that they proposed',
    file: `${MIGRATIONS}/0048_sign-in-in-order.sql`,
    text: '(v.proposed_by = me.user_id or v.user_id = me.user_id)',
    without: '(v.user_id = me.user_id)',
    test: changes('then needs a second administrator, who is neither the proposer nor the user who benefits'),
    behind: 'the table: change-confirmed-by-another',
  },
  {
    id: 'change-confirmed-by-another',
    against: 'a change is recorded as confirmed by its proposer',
    file: `${MIGRATIONS}/0006_users.sql`,
    text: `check (decided_by is null or state <> 'effective' or decided_by <> proposed_by)`,
    without: 'check (true)',
    test: tables('nobody confirms their own change'),
    behind: 'own-change',
  },
  {
    id: 'own-gain',
    against: 'an administrator confirms a change that benefits themselves',
    file: `${MIGRATIONS}/0048_sign-in-in-order.sql`,
    text: 'v.proposed_by = me.user_id or v.user_id = me.user_id',
    without: 'v.proposed_by = me.user_id',
    test: lone('a change is not confirmed by the administrator who benefits'),
  },
  {
    id: 'objection-ends',
    against: 'a change takes effect although someone objected',
    file: `${MIGRATIONS}/0048_sign-in-in-order.sql`,
    text: `update changes set state = 'rejected', decided_by = me.user_id, decided_at`,
    without: 'update changes set decided_at',
    test: changes('is not granted after a checker has objected, however much time passes'),
  },
  {
    id: 'change-decided-once',
    against: 'a change is decided on twice',
    file: `${MIGRATIONS}/0048_sign-in-in-order.sql`,
    text: `if v.state <> 'pending' then return refused('conflict', 'the change is ' || v.state || ' already'); end if;`,
    without: '',
    test: changes('then needs a second administrator, who is neither the proposer nor the user who benefits'),
    behind: 'rejected-stays-rejected',
  },
  {
    id: 'rejected-stays-rejected',
    against: 'a change that was rejected takes effect',
    file: PROPOSED,
    text: `where change_id = p_change and state = 'pending' returning * into v;`,
    without: 'where change_id = p_change returning * into v;',
    test: tables('a change that was rejected never takes effect'),
    behind: 'change-decided-once; only pending changes are applied',
  },
  {
    id: 'tokens-end-with-user',
    against: 'a user who is enabled again keeps their former tokens',
    file: `${MIGRATIONS}/0048_sign-in-in-order.sql`,
    text: 'update api_tokens set revoked_at = clock_timestamp() where user_id = p_user and revoked_at is null;',
    without: '',
    test: lone('a user who is enabled again cannot sign in with earlier tokens'),
  },
  {
    id: 'sandbox-stays',
    against: 'a database with example users becomes that of a real provider',
    file: PROPOSED,
    text: `where account = p_detail ->> 'account' and is_sandbox) then`,
    without: `where account = p_detail ->> 'account' and false) then`,
    test: {
      file: 'test/workers/check-provider.services.ts',
      name: 'of a sandbox cannot be changed, and has no account of a real provider beside it',
    },
  },
];

const BY_TIME: readonly Guard[] = [
  {
    id: 'somebody-to-object',
    against: 'one administrator disables everyone who could object, and waits for the delay',
    file: `${MIGRATIONS}/0048_sign-in-in-order.sql`,
    text: 'elsif not could_be_objected_to(v) then',
    without: 'elsif false then',
    test: byTime('never, if the only user who may object is disabled'),
  },
  {
    id: 'objected-by-another',
    against: 'the proposer or the beneficiary of a change counts as someone who could object',
    file: SESSIONS,
    text: 'where user_id is distinct from p_change.proposed_by and user_id is distinct from p_change.user_id',
    without: 'where true',
    test: byTime('never, if only its proposer and the user who benefits could object'),
  },
  {
    id: 'objected-by-role',
    against: 'someone without the permission counts as someone who could object',
    file: SESSIONS,
    text: `and users.disabled_at is null and role_may(user_roles.role, 'object_to_change')`,
    without: 'and users.disabled_at is null',
    test: byTime('never, if the only user who may object has had another role since'),
  },
  {
    id: 'objected-since-before',
    against: 'someone who got the role later counts as someone who could object during the whole delay',
    file: SESSIONS,
    text: 'and user_roles.granted_at <= p_change.proposed_at',
    without: '',
    test: byTime('never, if the only user who may object has had the role for less time'),
  },
  {
    id: 'objected-with-a-token',
    against: 'someone whose tokens were revoked counts as someone who could object',
    file: SESSIONS,
    text:
      'and api_tokens.created_at <= p_change.proposed_at\n          and not exists (select from sessions where session_id = token_id)\n' +
      '          and revoked_at is null',
    without: '',
    test: byTime('never, if the only user who may object has another token than before'),
  },
  {
    id: 'proposer-removed-others',
    against: 'an administrator removes those who could object, and waits for the delay',
    file: CHANGES,
    text: 'if p_decided and p_user <> p_by then',
    without: 'if false then',
    test: byTime('needs a second administrator for their own changes'),
  },
  {
    id: 'proposals-end-with-proposer',
    against: 'a change takes effect after its proposer was disabled',
    file: CHANGES,
    text: `if not user_may(p_user, 'manage_users') then`,
    without: 'if false then',
    test: byTime('ends the proposals of an administrator who'),
    behind: 'proposer-may-still',
  },
  {
    id: 'proposer-may-still',
    against: 'a change takes effect after its proposer lost the permission',
    file: `${MIGRATIONS}/0048_sign-in-in-order.sql`,
    text: `if not user_may(v.proposed_by, 'manage_users') then`,
    without: 'if false then',
    test: byTime('not if its proposer may no longer propose it'),
    behind: 'proposals-end-with-proposer',
  },
  {
    id: 'nothing-for-disabled',
    against: 'a disabled user gets a deciding role',
    file: `${MIGRATIONS}/0048_sign-in-in-order.sql`,
    text: `elsif v.kind <> 'enable_user' and exists`,
    without: 'elsif false and exists',
    test: byTime('not for a user who is disabled by then'),
    behind: 'enabling them takes two administrators',
  },
];

export const CHANGE_GUARDS: readonly Guard[] = [...TWO_ADMINISTRATORS, ...BY_TIME];
