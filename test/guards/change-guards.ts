import type { Guard } from './guard.ts';

const CHANGES = 'test/store/changes.services.ts';
const POLICY_CHANGES = 'test/store/policy-changes.services.ts';
const DATABASE_GUARDS = 'test/store/database-guards.services.ts';
const LONE_ADMINISTRATOR = 'test/store/lone-administrator.services.ts';
const CHANGES_BY_TIME = 'test/store/changes-by-time.services.ts';

/** Checks of changes that take two administrators, or a delay in which others may object. */
export const CHANGE_GUARDS: readonly Guard[] = [
  {
    id: 'change-waits',
    against: 'one administrator alone changes deciding roles or the policy',
    without: 'perform make_effective(v_change, null);',
    test: {
      file: CHANGES,
      name: 'then needs a second administrator, who is neither the proposer nor the user who benefits',
    },
  },
  {
    id: 'deciding-roles-wait',
    against: 'a new user has a deciding role at once',
    without: 'perform grant_role(v_user, role) from unnest(p_roles) as given (role);',
    test: {
      file: CHANGES,
      name: 'then needs a second administrator, who is neither the proposer nor the user who benefits',
    },
  },
  {
    id: 'reading-roles',
    against: 'one administrator gives a role that reads personal data or instructions, and holds its code',
    without: 'select is_deciding(p_role)',
    test: { file: CHANGES, name: 'needs a second administrator as well when it reads personal data or instructions' },
  },
  {
    id: 'deciding-roles-removed-by-two',
    against: 'one administrator takes the role of somebody who decides and may object',
    without: 'if false then',
    test: { file: CHANGES, name: 'is removed by two administrators, and every other role at once' },
  },
  {
    id: 'deciders-disabled-by-two',
    against: 'one administrator disables somebody who decides and may object',
    without: 'if false then return null; end if;',
    test: { file: CHANGES, name: 'who is disabled can do nothing, and is enabled again by a change' },
  },
  {
    id: 'removed-by-two',
    against: 'whoever may object is removed by waiting until nobody has objected',
    without: "case when true then clock_timestamp() + v_hours * interval '1 hour' end)",
    test: { file: CHANGES, name: 'is removed by two administrators, and every other role at once' },
  },
  {
    id: 'own-removal',
    against: 'somebody whom two administrators remove keeps their role by objecting',
    without: 'if false then',
    test: { file: CHANGES, name: 'is removed by two administrators, and every other role at once' },
  },
  {
    id: 'endpoints-ended-by-two',
    against: 'one administrator ends the notifications by which others hear of what they propose',
    without: 'if false then',
    test: {
      file: 'test/store/endpoints.services.ts',
      name: 'is disabled, enabled again and removed by two administrators',
    },
  },
  {
    id: 'erased-by-two',
    against: 'one administrator erases what somebody wrote with a decision',
    without: "perform erase(p_remark, me.user_id); return jsonb_build_object('change', null);",
    test: { file: 'test/store/approvals.services.ts', name: 'is erased by two administrators' },
  },
  {
    id: 'change-in-its-time',
    against: 'a change takes effect before its delay is over',
    without: "select p_change.state = 'pending'",
    test: { file: CHANGES, name: 'is granted after the delay if nobody objected, and not before' },
  },
  {
    id: 'own-change',
    against: 'an administrator confirms a change that they proposed',
    without: 'if p_confirm and (v.user_id = me.user_id) then',
    test: {
      file: CHANGES,
      name: 'then needs a second administrator, who is neither the proposer nor the user who benefits',
    },
    behind: 'the table: change-confirmed-by-another',
  },
  {
    id: 'change-confirmed-by-another',
    against: 'a change is recorded as confirmed by its proposer',
    without: 'constraint confirmed_by_another check (true)',
    test: { file: DATABASE_GUARDS, name: 'nobody confirms their own change' },
    behind: 'own-change',
  },
  {
    id: 'own-gain',
    against: 'an administrator confirms a change that benefits themselves',
    without: 'if p_confirm and (v.proposed_by = me.user_id) then',
    test: { file: LONE_ADMINISTRATOR, name: 'a change is not confirmed by the administrator who benefits' },
  },
  {
    id: 'objection-ends',
    against: 'a change takes effect although someone objected',
    without: 'update changes set decided_at = clock_timestamp()',
    test: { file: CHANGES, name: 'is not granted after a checker has objected, however much time passes' },
  },
  {
    id: 'one-policy-pending',
    against: 'of two proposals of a policy the one that takes effect later reverts the other',
    without: 'if false then',
    test: {
      file: POLICY_CHANGES,
      name: 'has one proposal at a time, so that the one that takes effect last reverts no other',
    },
    behind: 'the index one_policy_pending',
  },
  {
    id: 'policy-of-its-basis',
    against: 'a policy that was made from an earlier one reverts what was set meanwhile',
    without: 'if false then',
    test: { file: POLICY_CHANGES, name: 'is not replaced by a proposal that was made from an earlier one' },
  },
  {
    id: 'change-of-its-basis',
    against: 'a pending change takes effect although what it was based on was changed meanwhile',
    without: 'if false then',
    test: { file: POLICY_CHANGES, name: 'a change of the provider that was based on another one ends as replaced' },
  },
  {
    id: 'change-decided-once',
    against: 'a change is decided on twice',
    without: '',
    test: {
      file: CHANGES,
      name: 'then needs a second administrator, who is neither the proposer nor the user who benefits',
    },
    behind: 'rejected-stays-rejected',
  },
  {
    id: 'rejected-stays-rejected',
    against: 'a change that was rejected takes effect',
    without: 'where change_id = p_change returning * into v;',
    test: { file: DATABASE_GUARDS, name: 'a change that was rejected never takes effect' },
    behind: 'change-decided-once; only pending changes are applied',
  },
  {
    id: 'tokens-end-with-user',
    against: 'a user who is enabled again keeps their former tokens',
    without: '',
    test: { file: LONE_ADMINISTRATOR, name: 'a user who is enabled again cannot sign in with earlier tokens' },
  },
  {
    id: 'sandbox-stays',
    against: 'a database with example users becomes that of a real provider',
    without: "select from provider_accounts where account = p_detail ->> 'account' and false) then",
    test: {
      file: 'test/workers/check-provider.services.ts',
      name: 'of a sandbox cannot be changed, and has no account of a real provider beside it',
    },
  },
  {
    id: 'somebody-to-object',
    against: 'one administrator disables everyone who could object, and waits for the delay',
    without: 'elsif false then',
    test: { file: CHANGES_BY_TIME, name: 'never, if the only user who may object is disabled' },
  },
  {
    id: 'objected-by-another',
    against: 'the proposer or the beneficiary of a change counts as someone who could object',
    without: 'where true',
    test: { file: CHANGES_BY_TIME, name: 'never, if only its proposer and the user who benefits could object' },
  },
  {
    id: 'objected-by-role',
    against: 'someone without the permission counts as someone who could object',
    without: 'and users.disabled_at is null',
    test: { file: CHANGES_BY_TIME, name: 'never, if the only user who may object has had another role since' },
  },
  {
    id: 'objected-since-before',
    against: 'someone who got the role later counts as someone who could object during the whole delay',
    without: '',
    test: { file: CHANGES_BY_TIME, name: 'never, if the only user who may object has had the role for less time' },
  },
  {
    id: 'objected-with-a-token',
    against: 'someone whose tokens were revoked counts as someone who could object',
    without:
      'select from api_tokens where api_tokens.user_id = users.user_id  and (expires_at is null or expires_at > clock_timestamp())',
    test: { file: CHANGES_BY_TIME, name: 'never, if the only user who may object has another token than before' },
  },
  {
    id: 'objected-with-scope',
    against: 'someone whose tokens only read counts as someone who could object',
    without: ')))',
    test: { file: CHANGES_BY_TIME, name: 'never, if the only user who may object has a token that only reads' },
  },
  {
    id: 'proposer-removed-others',
    against: 'an administrator removes those who could object, and waits for the delay',
    without: 'if false then',
    test: { file: CHANGES_BY_TIME, name: 'needs a second administrator for their own changes' },
  },
  {
    id: 'proposals-end-with-proposer',
    against: 'a change takes effect after its proposer was disabled',
    without: 'if false then',
    test: { file: CHANGES_BY_TIME, name: 'ends the proposals of an administrator who' },
    behind: 'proposer-may-still',
  },
  {
    id: 'proposer-may-still',
    against: 'a change takes effect after its proposer lost the permission',
    without: 'if false then',
    test: { file: CHANGES_BY_TIME, name: 'not if its proposer may no longer propose it' },
    behind: 'proposals-end-with-proposer',
  },
  {
    id: 'nothing-for-disabled',
    against: 'a disabled user gets a deciding role',
    without: 'elsif false and exists (select from users where user_id = v.user_id and disabled_at is not null) then',
    test: { file: CHANGES_BY_TIME, name: 'not for a user who is disabled by then' },
    behind: 'enabling them takes two administrators',
  },
];
