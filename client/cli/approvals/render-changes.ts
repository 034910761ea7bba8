import type { ChangeSummary } from '../../sdk/index.ts';
import { printable } from '../printable.ts';
import { textTable } from '../text-table.ts';
import { moment } from '../wording.ts';

/** What a change would do, in words. */
export function describeChange({ kind, user, detail, proposedBy }: ChangeSummary): string {
  return printable(`${effectOf(kind, user?.name ?? 'a user', detail)}, proposed by ${proposedBy?.name ?? 'the owner'}`);
}

function effectOf(kind: string, name: string, detail: Record<string, unknown>): string {
  switch (kind) {
    case 'grant_roles':
      return `${name} becomes ${listOf(detail['roles'])}`;
    case 'enable_user':
      return `${name} may sign in again`;
    case 'invite_again':
      return `${name} gets a new code to sign in`;
    case 'set_accounts':
      return `${name} may use ${detail['accounts'] === null ? 'all accounts' : `only ${listOf(detail['accounts'])}`}`;
    case 'set_policy':
      return 'a new approval policy';
    case 'change_provider':
      return `account ${textOf(detail['account'])} belongs to the provider at ${textOf(detail['apiAddress'])}`;
    case 'add_endpoint':
      return `notifications go to ${textOf(detail['name'])} (${textOf(detail['target'])})`;
    default:
      return kind;
  }
}

function listOf(value: unknown): string {
  return Array.isArray(value) ? value.map(textOf).join(', ') : textOf(value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

/** Changes as a table, the newest first. */
export function renderChanges(changes: readonly ChangeSummary[]): string {
  if (changes.length === 0) return 'There are no changes.';
  return textTable(
    [{ title: 'Change' }, { title: 'What', maxWidth: 70 }, { title: 'State' }],
    changes.map((change) => [change.changeId, describeChange(change), stateOf(change)]),
  );
}

function stateOf({ state, takesEffectAt, decidedBy, decidedAt }: ChangeSummary): string {
  const when = decidedAt === null ? '' : ` on ${moment(decidedAt)}`;
  if (state === 'rejected') return `rejected${decidedBy === null ? '' : ` by ${decidedBy.name}`}${when}`;
  if (state === 'effective') return `in effect${decidedBy === null ? '' : `, confirmed by ${decidedBy.name}`}${when}`;
  return takesEffectAt === null ? 'needs a second administrator' : `takes effect on ${moment(takesEffectAt)}`;
}
