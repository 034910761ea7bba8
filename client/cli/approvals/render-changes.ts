import { effectOfChange } from '../../../api/approvals/change-effects.ts';
import type { ChangeSummary } from '../../sdk/index.ts';
import { printable } from '../printable.ts';
import { textTable } from '../text-table.ts';
import { moment } from '../wording.ts';

/** What a change would do, in words. */
export function describeChange(change: ChangeSummary): string {
  return printable(`${effectOfChange(change)}, proposed by ${change.proposedBy?.name ?? 'the owner'}`);
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
