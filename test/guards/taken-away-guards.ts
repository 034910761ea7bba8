import type { Guard } from './guard.ts';

const INVITATIONS_THAT_END = 'test/store/invitations-that-end.services.ts';
const TAKEN_AWAY = 'test/store/taken-away.services.ts';

/** Checks that what two administrators agreed on serves for nothing else, and that what one has taken away stays away. */
export const TAKEN_AWAY_GUARDS: readonly Guard[] = [
  {
    id: 'invitation-open-for-days',
    against: 'one administrator makes a code by an invitation that was confirmed months ago',
    without: '',
    test: { file: INVITATIONS_THAT_END, name: 'an invitation that was confirmed serves for a code within 72 hours' },
  },
  {
    id: 'invitation-for-its-roles',
    against: 'an invitation of a user without a role serves for the administrator whom the owner has made of them',
    without: 'and false)',
    test: {
      file: INVITATIONS_THAT_END,
      name: 'the owner of the database makes the user an administrator gives no code afterwards',
    },
  },
  {
    id: 'invitation-before-roles',
    against: 'an invitation of a viewer serves for the checker that they have become',
    without: '',
    test: {
      file: INVITATIONS_THAT_END,
      name: 'a role is proposed again that was rejected then gives no code afterwards',
    },
    behind: 'invitation-for-its-roles',
  },
  {
    id: 'invitation-before-accounts',
    against: 'an invitation of a user of one account serves for all of them',
    without: '',
    test: {
      file: INVITATIONS_THAT_END,
      name: 'two administrators give a user who decides more accounts gives no code afterwards',
    },
  },
  {
    id: 'invitation-before-accounts-at-once',
    against: 'one administrator gives a user all accounts, and makes a code by an invitation from before',
    without: '',
    test: {
      file: INVITATIONS_THAT_END,
      name: 'the user gets more accounts gives no code afterwards, and one after they got fewer does',
    },
  },
  {
    id: 'invitation-of-removed-role',
    against: 'an invitation serves after a role of its user was removed',
    without: '',
    test: { file: INVITATIONS_THAT_END, name: 'a role is removed gives no code afterwards' },
    behind: 'a role that is granted again ends it',
  },
  {
    id: 'invitation-of-disabled',
    against: 'an invitation from before a user was disabled serves once they are enabled again',
    without: '',
    test: { file: INVITATIONS_THAT_END, name: 'the user is disabled gives no code once they are enabled again' },
    behind: 'enabling the user ends it as well',
  },
  {
    id: 'one-invitation',
    against: 'a second administrator confirms several invitations of one user, of which one is left for later',
    without: 'where false order by proposed_at limit 1;',
    test: { file: INVITATIONS_THAT_END, name: 'an invitation that waits is the one that a further call answers' },
  },
  {
    id: 'one-invitation-left',
    against: 'an invitation that was in effect beside another one is left for later',
    without: '',
    test: { file: INVITATIONS_THAT_END, name: 'one code ends every invitation that was in effect beside it' },
  },
  {
    id: 'invitations-by-their-function',
    against: 'invitations are proposed while payrun is set up, and kept for later',
    without: '',
    test: { file: INVITATIONS_THAT_END, name: 'an invitation is begun in no other way' },
  },
  {
    id: 'removed-role-stays-removed',
    against: 'a role comes back by a change that was proposed before it was removed',
    without: 'null;',
    test: {
      file: TAKEN_AWAY,
      name: 'does not come back by a change that was proposed before, alone or with other roles',
    },
  },
  {
    id: 'disabled-stays-disabled',
    against: 'a user is enabled, or gets roles, by a change that was proposed before they were disabled',
    without: 'null;',
    test: { file: TAKEN_AWAY, name: 'is not enabled by a change that was proposed before' },
  },
  {
    id: 'enabled-once-disabled',
    against: 'a change that enables a user who is not disabled ends their sign-in after its delay, or a disabling',
    without: 'if false then',
    test: { file: TAKEN_AWAY, name: 'to enable a user who is not disabled' },
    behind: 'enabled-by-change, disabled-stays-disabled',
  },
  {
    id: 'enabled-by-one-change',
    against: 'a user is enabled by two changes, of which the second waits until they are disabled again',
    without: 'select where false) then',
    test: { file: TAKEN_AWAY, name: 'to enable a user a second time' },
    behind: 'enabled-by-change, disabled-stays-disabled',
  },
  {
    id: 'enabled-by-change',
    against: 'a change ends what a user signs in by whom the owner has enabled meanwhile',
    without: 'if true then',
    test: {
      file: INVITATIONS_THAT_END,
      name: 'what a user signs in by stays when a change enables them whom the owner has enabled since',
    },
  },
  {
    id: 'granted-once-missing',
    against: 'a grant that looks like nothing gives a role back that is removed before it takes effect',
    without: 'where true) then',
    test: { file: TAKEN_AWAY, name: 'to grant roles that the user has' },
    behind: 'removed-role-stays-removed',
  },
];
