import type { CancelledRun, CreatedStop } from '../../api/approvals/stop.ts';
import type { RunSummary } from '../../api/runs/run.ts';
import { counted } from '../elements/formats.ts';

/** What a stop and a cancellation leave to finish, in sentences, before and after. */

type Rows = RunSummary['rows'];

function countsOf(rows: Rows): { sent: number; withProvider: number; notSent: number } {
  return {
    sent: (rows.funded ?? 0) + (rows.processing ?? 0),
    withProvider: (rows.created ?? 0) + (rows.awaiting_funds ?? 0),
    notSent:
      (rows.ready ?? 0) +
      (rows.quoted ?? 0) +
      (rows.held ?? 0) +
      (rows.duplicate_suspect ?? 0) +
      (rows.account_unconfirmed ?? 0),
  };
}

/** As the rows are now: they move until the stop is recorded. */
export function beforeStop(rows: Rows): string[] {
  const { sent, withProvider, notSent } = countsOf(rows);
  return [
    'Nothing more is sent from now on.',
    ...sentence(sent, (what) => `${what} whose money was sent will still finish.`),
    ...sentence(
      withProvider,
      (what, are) =>
        `${what} ${are} with the provider, and will not be funded, unless the request for it has left already.`,
    ),
    ...sentence(notSent, (what) => `${what} will not be paid while the run is stopped.`, 'row'),
  ];
}

export function afterStop({ counts }: CreatedStop): string[] {
  if (counts === null) return ['Nothing more of the run is sent. What was sent already could not be counted.'];
  const { sent, created, notSent, underWay } = counts;
  return [
    `${counted(sent, 'payment')} sent already: each of them is confirmed, so do not pay it by other means.`,
    `${counted(notSent, 'row')} will not be paid while the run is stopped.`,
    ...sentence(created, (what, are) => `${what} ${are} with the provider, and will not be funded.`),
    ...sentence(underWay, (what, are) => `${what} ${are} on the way, or being looked up.`, 'request'),
  ];
}

export function beforeCancellation(rows: Rows): string[] {
  const { sent, withProvider, notSent } = countsOf(rows);
  return [
    ...sentence(notSent, (what, are) => `${what} ${are} ended, and never paid.`, 'row'),
    ...sentence(sent, (what) => `${what} whose money was sent will still finish.`),
    ...sentence(
      withProvider,
      (what, are) =>
        `${what} ${are} with the provider and not funded: how they end is unknown until the provider has cancelled them.`,
    ),
    'This cannot be undone.',
  ];
}

/** `rows`: as they were read after it; null: they could not be. */
export function afterCancellation({ cancelled, counts }: CancelledRun, rows: Rows | null): string[] {
  const unknown = rows?.unknown ?? 0;
  return [
    rows === null
      ? `${counted(cancelled, 'row')} ended. See the page of the run for how, before you submit any of them again.`
      : `${counted(rows.cancelled ?? 0, 'row')} will not be paid, and may be submitted again.`,
    ...sentence(counts.sent, (what) => `${what} sent already: do not submit them again.`),
    ...sentence(counts.underWay, (what, are) => `${what} ${are} looked up first, and then ended.`, 'row'),
    ...sentence(
      unknown,
      (what, are) =>
        `${what} ${are} with the provider, or may be, and could still be funded there: do not submit them again. Have them ` +
        'cancelled by the provider, then say of each how it ended.',
      'row',
    ),
  ];
}

/** Nothing where there is none. */
function sentence(count: number, text: (what: string, are: 'is' | 'are') => string, singular = 'payment'): string[] {
  return count === 0 ? [] : [text(counted(count, singular), count === 1 ? 'is' : 'are')];
}
