import { effectOfChange } from '../../../api/approvals/change-effects.ts';
import type { ApprovalPolicy } from '../../../domain/approvals/approval-policy.ts';
import type { ChangeSummary } from '../../sdk/index.ts';
import { printable } from '../printable.ts';
import { textTable } from '../text-table.ts';
import { moment } from '../wording.ts';
import { renderPolicyDifferences } from './render-policy.ts';

/** What a change would do, in words. */
export function describeChange(change: ChangeSummary): string {
  return printable(`${effectOfChange(change)}, proposed by ${change.proposedBy?.name ?? 'the owner'}`);
}

/** The policy that a pending change proposes; null: it proposes none. */
export function proposedPolicy({ kind, state, detail }: ChangeSummary): ApprovalPolicy | null {
  return kind === 'set_policy' && state === 'pending' ? (detail['policy'] as ApprovalPolicy) : null;
}

/** Changes as a table, the newest first. A pending policy is shown beside the one in force; `inForce` null: none is pending. */
export function renderChanges(changes: readonly ChangeSummary[], inForce: ApprovalPolicy | null): string {
  if (changes.length === 0) return 'There are no changes.';
  // Who confirms it reads all of it: it comes last, and is never cut.
  const table = textTable(
    [{ title: 'Change' }, { title: 'State' }, { title: 'What' }],
    changes.map((change) => [change.changeId, stateOf(change), describeChange(change)]),
  );
  const policies = changes.flatMap((change) => {
    const proposed = proposedPolicy(change);
    if (inForce === null || proposed === null) return [];
    return [`${printable(change.changeId)} changes the policy:\n${renderPolicyDifferences(inForce, proposed)}`];
  });
  return [table, ...policies].join('\n\n');
}

function stateOf({ state, takesEffectAt, decidedBy, decidedAt }: ChangeSummary): string {
  const when = decidedAt === null ? '' : ` on ${moment(decidedAt)}`;
  if (state === 'replaced') return `replaced${when}: what it was based on is in force no longer`;
  if (state === 'rejected') return `rejected${decidedBy === null ? '' : ` by ${decidedBy.name}`}${when}`;
  if (state === 'effective') return `in effect${decidedBy === null ? '' : `, confirmed by ${decidedBy.name}`}${when}`;
  return takesEffectAt === null ? 'needs a second administrator' : `takes effect on ${moment(takesEffectAt)}`;
}
