import type { ChangeState, UserSummary } from '../../sdk/index.ts';
import { printable } from '../printable.ts';
import { textTable } from '../text-table.ts';
import { moment } from '../wording.ts';

export function renderUsers(users: readonly UserSummary[]): string {
  if (users.length === 0) return 'There are no users.';
  const isAnyLimited = users.some(({ accounts }) => accounts !== null);
  const hasAnyMail = users.some(({ mail }) => mail !== null);
  return textTable(
    [
      { title: 'Login' },
      { title: 'Name', maxWidth: 30 },
      ...(hasAnyMail ? [{ title: 'Mail' }] : []),
      { title: 'Roles' },
      ...(isAnyLimited ? [{ title: 'Accounts' }] : []),
      { title: 'Last active' },
      { title: 'State' },
    ],
    users.map((user) => [
      user.login ?? user.userId,
      user.name,
      ...(hasAnyMail ? [user.mail ?? 'none'] : []),
      rolesOf(user),
      ...(isAnyLimited ? [user.accounts === null ? 'all' : user.accounts.join(', ')] : []),
      user.lastUsedAt === null ? 'never' : moment(user.lastUsedAt),
      user.disabledAt === null ? 'enabled' : `disabled on ${moment(user.disabledAt)}`,
    ]),
  );
}

function rolesOf({ roles, pendingRoles }: UserSummary): string {
  return [...roles, ...pendingRoles.map((role) => `(${role})`)].join(', ');
}

/** The state of a change that needs two administrators. */
export function renderChangeState({ changeId, state, takesEffectAt }: ChangeState): string {
  if (state === 'effective') return 'The change is in effect.';
  if (state === 'rejected' || state === 'replaced') return `The change is ${state}.`;
  const otherwise =
    takesEffectAt === null ? '' : `, and takes effect without one on ${moment(takesEffectAt)} if nobody objects`;
  return `The change needs a second administrator (payrun changes confirm ${printable(changeId)})${otherwise}.`;
}

/** What was done at once, or the change that it became. */
export function renderDoneOrChange(change: ChangeState | null, done: string): string {
  return change === null ? printable(done) : renderChangeState(change);
}

/** The state of a new user's roles that need two administrators. */
export function renderDecidingRoles({ changeId, state, takesEffectAt }: ChangeState): string {
  if (state === 'effective') return 'All roles of the user are in effect.';
  const otherwise = takesEffectAt === null ? '' : `, or on ${moment(takesEffectAt)} if nobody objects`;
  return `The user's roles take effect once a second administrator confirms them (payrun changes confirm ${printable(changeId)})${otherwise}.`;
}

/** How the invited user signs in. */
export function renderInvitation({ expiresAt }: { expiresAt: string }, login: string): string {
  return `The code for ${printable(login)} works once, until ${moment(expiresAt)}. The user runs 'payrun login' and enters it:`;
}
