import type { ChangeState, Invitation, UserSummary } from '../../../application/users/user-api.ts';
import { printable } from '../printable.ts';
import { textTable } from '../text-table.ts';
import { moment } from '../wording.ts';

export function renderUsers(users: readonly UserSummary[]): string {
  if (users.length === 0) return 'There are no users.';
  return textTable(
    [
      { title: 'Login' },
      { title: 'Name', maxWidth: 30 },
      { title: 'Roles' },
      { title: 'Last active' },
      { title: 'State' },
    ],
    users.map((user) => [
      user.login ?? user.userId,
      user.name,
      rolesOf(user),
      user.lastUsedAt === null ? 'never' : moment(user.lastUsedAt),
      user.disabledAt === null ? 'enabled' : `disabled on ${moment(user.disabledAt)}`,
    ]),
  );
}

function rolesOf({ roles, pendingRoles }: UserSummary): string {
  return [...roles, ...pendingRoles.map((role) => `(${role})`)].join(', ');
}

/** What became of a change that takes two administrators. */
export function renderChangeState({ changeId, state, takesEffectAt }: ChangeState): string {
  if (state === 'effective') return 'It is in effect.';
  if (state === 'rejected') return 'It is rejected.';
  const alone =
    takesEffectAt === null ? '' : `, and takes effect by itself on ${moment(takesEffectAt)} if nobody objects`;
  return `It waits for a second administrator (payrun changes confirm ${printable(changeId)})${alone}.`;
}

/** The roles of a new user that two administrators give out. */
export function renderDecidingRoles({ changeId, state, takesEffectAt }: ChangeState): string {
  if (state === 'effective') return 'All of their roles are in effect.';
  const alone = takesEffectAt === null ? '' : `, or on ${moment(takesEffectAt)} if nobody objects`;
  return `Their roles that decide are in effect once a second administrator confirms it (payrun changes confirm ${printable(changeId)})${alone}.`;
}

/** How the invited user signs in. */
export function renderInvitation({ expiresAt }: Invitation, login: string): string {
  return `The code for ${printable(login)} works once, until ${moment(expiresAt)}. They type 'payrun login' and give it there:`;
}
