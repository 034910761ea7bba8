import { type Guard, MIGRATIONS } from './guard.ts';

/** Checks that what two administrators agreed on serves for nothing else, and that what one has taken away stays away. */

const FILE = `${MIGRATIONS}/0075_invitations-that-end.sql`;

const invitations = (name: string) => ({ file: 'test/store/invitations-that-end.services.ts', name });
const takenAway = (name: string) => ({ file: 'test/store/taken-away.services.ts', name });

const INVITATIONS: readonly Guard[] = [
  {
    id: 'invitation-open-for-days',
    against: 'one administrator makes a code by an invitation that was confirmed months ago',
    file: FILE,
    text: `and p_change.decided_at > clock_timestamp() - interval '72 hours'`,
    without: '',
    test: invitations('an invitation that was confirmed serves for a code within 72 hours'),
  },
  {
    id: 'invitation-for-its-roles',
    against: 'an invitation of a user without a role serves for the administrator whom the owner has made of them',
    file: FILE,
    text: `and not coalesce(p_change.detail -> 'forRoles' ? role, false))`,
    without: 'and false)',
    test: invitations('the owner of the database makes the user an administrator gives no code afterwards'),
  },
  {
    id: 'invitation-before-roles',
    against: 'an invitation of a viewer serves for the checker that they have become',
    file: FILE,
    text: `perform end_invitations(v.user_id, v.proposed_at, p_by, 'roles_granted');`,
    without: '',
    test: invitations('a role is proposed again that was rejected then gives no code afterwards'),
    behind: 'invitation-for-its-roles',
  },
  {
    id: 'invitation-before-accounts',
    against: 'an invitation of a user of one account serves for all of them',
    file: FILE,
    text: `perform end_invitations(v.user_id, v.proposed_at, p_by, 'accounts_given');`,
    without: '',
    test: invitations('two administrators give a user who decides more accounts gives no code afterwards'),
  },
  {
    id: 'invitation-before-accounts-at-once',
    against: 'one administrator gives a user all accounts, and makes a code by an invitation from before',
    file: FILE,
    text: `if v_gives then perform end_invitations(p_user, 'infinity', me.user_id, 'accounts_given'); end if;`,
    without: '',
    test: invitations('the user gets more accounts gives no code afterwards, and one after they got fewer does'),
  },
  {
    id: 'invitation-of-removed-role',
    against: 'an invitation serves after a role of its user was removed',
    file: FILE,
    text: `perform end_invitations(p_user, 'infinity', me.user_id, 'role_removed');`,
    without: '',
    test: invitations('a role is removed gives no code afterwards'),
    behind: 'a role that is granted again ends it',
  },
  {
    id: 'invitation-of-disabled',
    against: 'an invitation from before a user was disabled serves once they are enabled again',
    file: FILE,
    text: `perform end_invitations(p_user, 'infinity', me.user_id, 'user_disabled');`,
    without: '',
    test: invitations('the user is disabled gives no code once they are enabled again'),
    behind: 'enabling the user ends it as well',
  },
  {
    id: 'one-invitation',
    against: 'a second administrator confirms several invitations of one user, of which one is left for later',
    file: FILE,
    text: `where kind = 'invite_again' and user_id = p_user and state = 'pending' order by`,
    without: 'where false order by',
    test: invitations('an invitation that waits is the one that a further call answers'),
  },
  {
    id: 'one-invitation-left',
    against: 'an invitation that was in effect beside another one is left for later',
    file: FILE,
    text: `perform end_invitations(p_user, 'infinity', me.user_id, 'replaced');`,
    without: '',
    test: invitations('one code ends every invitation that was in effect beside it'),
  },
  {
    id: 'invitations-by-their-function',
    against: 'invitations are proposed while payrun is set up, and kept for later',
    file: FILE,
    text: `if p_kind = 'invite_again' then return refused('invalid_input', 'users are invited by invite_user'); end if;`,
    without: '',
    test: invitations('an invitation is begun in no other way'),
  },
];

const TAKEN_AWAY: readonly Guard[] = [
  {
    id: 'removed-role-stays-removed',
    against: 'a role comes back by a change that was proposed before it was removed',
    file: FILE,
    text: `perform reject_change(v_change, me.user_id, 'role_removed');`,
    without: 'null;',
    test: takenAway('does not come back by a change that was proposed before, alone or with other roles'),
  },
  {
    id: 'disabled-stays-disabled',
    against: 'a user is enabled, or gets roles, by a change that was proposed before they were disabled',
    file: FILE,
    text: `perform reject_change(v_change, me.user_id, 'user_disabled');`,
    without: 'null;',
    test: takenAway('is not enabled by a change that was proposed before'),
  },
  {
    id: 'enabled-once-disabled',
    against: 'a change that enables a user who is not disabled ends their sign-in after its delay, or a disabling',
    file: FILE,
    text: `if p_kind = 'enable_user' and exists (select from users where user_id = p_user and disabled_at is null) then`,
    without: 'if false then',
    test: takenAway('to enable a user who is not disabled'),
    behind: 'enabled-by-change, disabled-stays-disabled',
  },
  {
    id: 'enabled-by-one-change',
    against: 'a user is enabled by two changes, of which the second waits until they are disabled again',
    file: FILE,
    text: `select from changes where kind = 'enable_user' and user_id = p_user and state = 'pending') then`,
    without: 'select where false) then',
    test: takenAway('to enable a user a second time'),
    behind: 'enabled-by-change, disabled-stays-disabled',
  },
  {
    id: 'enabled-by-change',
    against: 'a change ends what a user signs in by whom the owner has enabled meanwhile',
    file: FILE,
    text: 'if exists (select from users where user_id = v.user_id and disabled_at is not null) then',
    without: 'if true then',
    test: invitations('what a user signs in by stays when a change enables them whom the owner has enabled since'),
  },
  {
    id: 'granted-once-missing',
    against: 'a grant that looks like nothing gives a role back that is removed before it takes effect',
    file: FILE,
    text: 'where role not in (select user_roles.role from user_roles where user_id = p_user)) then',
    without: 'where true) then',
    test: takenAway('to grant roles that the user has'),
    behind: 'removed-role-stays-removed',
  },
];

export const TAKEN_AWAY_GUARDS: readonly Guard[] = [...INVITATIONS, ...TAKEN_AWAY];
