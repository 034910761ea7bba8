import { type Guard, MIGRATIONS } from './guard.ts';

/** Changes that take two administrators, or time in which others may object. */

const CHANGES = `${MIGRATIONS}/0008_changes.sql`;

const changes = (name: string) => ({ file: 'test/store/changes.services.ts', name });
const byTime = (name: string) => ({ file: 'test/store/changes-by-time.services.ts', name });
const lone = (name: string) => ({ file: 'test/store/lone-administrator.services.ts', name });
const tables = (name: string) => ({ file: 'test/store/record-guards.services.ts', name });

const TWO_ADMINISTRATORS: readonly Guard[] = [
  {
    id: 'change-waits',
    against: 'one administrator alone changes who decides, or the policy',
    file: CHANGES,
    text: 'if is_setting_up() then perform make_effective(v_change, null); end if;',
    without: 'perform make_effective(v_change, null);',
    test: changes('waits for a second administrator'),
  },
  {
    id: 'deciding-roles-wait',
    against: 'a new user decides at once',
    file: CHANGES,
    text: 'from unnest(p_roles) as given (role) where not is_deciding(role);',
    without: 'from unnest(p_roles) as given (role);',
    test: changes('waits for a second administrator'),
  },
  {
    id: 'change-in-its-time',
    against: 'a change takes effect before its delay is over',
    file: CHANGES,
    text: `where state = 'pending' and takes_effect_at <= clock_timestamp()`,
    without: `where state = 'pending'`,
    test: changes('is given after the delay when nobody objected, and not a moment before'),
  },
  {
    id: 'own-change',
    against: 'an administrator confirms their own change',
    file: CHANGES,
    text: '(v.proposed_by = me.user_id or v.user_id = me.user_id)',
    without: '(v.user_id = me.user_id)',
    test: changes('waits for a second administrator'),
    behind: 'the table: change-confirmed-by-another',
  },
  {
    id: 'change-confirmed-by-another',
    against: 'a change is written down as confirmed by its proposer',
    file: `${MIGRATIONS}/0006_users.sql`,
    text: `check (decided_by is null or state <> 'effective' or decided_by <> proposed_by)`,
    without: 'check (true)',
    test: tables('nobody confirms a change of their own'),
    behind: 'own-change',
  },
  {
    id: 'own-gain',
    against: 'an administrator confirms a change that they gain by',
    file: CHANGES,
    text: 'v.proposed_by = me.user_id or v.user_id = me.user_id',
    without: 'v.proposed_by = me.user_id',
    test: lone('is not confirmed by the administrator who gains by it'),
  },
  {
    id: 'objection-ends',
    against: 'a change takes effect though somebody objected',
    file: CHANGES,
    text: `update changes set state = 'rejected', decided_by = me.user_id, decided_at`,
    without: 'update changes set decided_at',
    test: changes('is not given once a checker has objected'),
  },
  {
    id: 'change-decided-once',
    against: 'a change that was decided on is decided on again',
    file: CHANGES,
    text: `if v.state <> 'pending' then return refused('conflict', 'the change is ' || v.state || ' already'); end if;`,
    without: '',
    test: changes('waits for a second administrator'),
    behind: 'rejected-stays-rejected',
  },
  {
    id: 'rejected-stays-rejected',
    against: 'a change that was rejected takes effect',
    file: CHANGES,
    text: `where change_id = p_change and state = 'pending' returning * into v;`,
    without: 'where change_id = p_change returning * into v;',
    test: tables('a change that was rejected never takes effect'),
    behind: 'change-decided-once; only pending changes are applied',
  },
  {
    id: 'tokens-end-with-user',
    against: 'a user who comes back has the tokens from before',
    file: CHANGES,
    text: 'update api_tokens set revoked_at = clock_timestamp() where user_id = p_user and revoked_at is null;',
    without: '',
    test: lone('signs in with none of the tokens from before'),
  },
  {
    id: 'sandbox-stays',
    against: 'a record with users for a trial becomes that of a real provider',
    file: CHANGES,
    text: `where account = p_detail ->> 'account' and is_sandbox) then`,
    without: `where account = p_detail ->> 'account' and false) then`,
    test: { file: 'test/workers/check-provider.services.ts', name: 'is changed by two administrators' },
  },
];

const BY_TIME: readonly Guard[] = [
  {
    id: 'somebody-to-object',
    against: 'one administrator silences everyone who might object, and waits',
    file: CHANGES,
    text: 'elsif not could_be_objected_to(v) then',
    without: 'elsif false then',
    test: byTime('never, when the only one who may object is disabled'),
  },
  {
    id: 'objected-by-another',
    against: 'whoever proposed or gains by a change is taken for one who could object',
    file: CHANGES,
    text: 'where user_id is distinct from p_change.proposed_by and user_id is distinct from p_change.user_id',
    without: 'where true',
    test: byTime('never, when its proposer and whoever gains by it'),
  },
  {
    id: 'objected-by-role',
    against: 'one who may not object is taken for one who could',
    file: CHANGES,
    text: `and users.disabled_at is null and role_may(user_roles.role, 'object_to_change')`,
    without: 'and users.disabled_at is null',
    test: byTime('never, when the only one who may object has had another role since'),
  },
  {
    id: 'objected-since-before',
    against: 'one who came later is taken for one who could object all the time',
    file: CHANGES,
    text: 'and user_roles.granted_at <= p_change.proposed_at',
    without: '',
    test: byTime('never, when the only one who may object has had the role for less time'),
  },
  {
    id: 'objected-with-a-token',
    against: 'one whose tokens were taken is taken for one who could object',
    file: CHANGES,
    text: 'and api_tokens.created_at <= p_change.proposed_at\n      and revoked_at is null',
    without: '',
    test: byTime('never, when the only one who may object has another token than before'),
  },
  {
    id: 'proposer-removed-others',
    against: 'an administrator takes out those who might object, and waits',
    file: CHANGES,
    text: 'if p_decided and p_user <> p_by then',
    without: 'if false then',
    test: byTime('waits for a second administrator with their own changes'),
  },
  {
    id: 'proposals-end-with-proposer',
    against: 'what an administrator proposed takes effect after they were disabled',
    file: CHANGES,
    text: `if not user_may(p_user, 'manage_users') then`,
    without: 'if false then',
    test: byTime('ends what an administrator proposed who'),
    behind: 'proposer-may-still',
  },
  {
    id: 'proposer-may-still',
    against: 'a change of one who may propose no longer takes effect by time',
    file: CHANGES,
    text: `if not user_may(v.proposed_by, 'manage_users') then`,
    without: 'if false then',
    test: byTime('in the name of nobody who may propose no longer'),
    behind: 'proposals-end-with-proposer',
  },
  {
    id: 'nothing-for-disabled',
    against: 'a user who is disabled comes to decide on something',
    file: CHANGES,
    text: `elsif v.kind <> 'enable_user' and exists`,
    without: 'elsif false and exists',
    test: byTime('for nobody who is disabled by then'),
    behind: 'enabling them takes two administrators',
  },
];

export const CHANGE_GUARDS: readonly Guard[] = [...TWO_ADMINISTRATORS, ...BY_TIME];
