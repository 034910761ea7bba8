import type { RunSummary } from '../../../application/application-api.ts';
import type { CancelledRun, MadeStop, StopSummary } from '../../../application/approvals/stop-api.ts';
import { printable } from '../printable.ts';
import { textTable } from '../text-table.ts';
import { count, counted, moment } from '../wording.ts';

/** What was stopped, what is out already, and what can be done now. `runId` null: the stop is not of one run. */
export function renderMadeStop({ counts }: MadeStop, runId: string | null): string {
  if (runId === null) {
    return 'Stopped. Nothing more is sent until two people lift it: both type payrun resume --all, or --account NAME.';
  }
  const run = printable(runId);
  if (counts === null) {
    return [
      'Stopped. Nothing more of the run is sent; what was sent already could not be counted.',
      `See: payrun show ${run}`,
    ].join('\n');
  }
  const { sent, created, notSent, underWay } = counts;
  const unfunded =
    created === 0
      ? ''
      : ` ${counted(created, 'payment is', 'payments are')} with the provider, and will not be funded.`;
  const open =
    underWay === 0 ? '' : ` ${counted(underWay, 'request is', 'requests are')} on its way or being looked up.`;
  return [
    `Stopped. ${count(sent)} already sent, ${count(notSent)} will not be paid.${unfunded}${open}`,
    `To end it for good: payrun cancel ${run}${created === 0 ? '' : ' (those with the provider are then settled by hand)'}`,
    `To go on, by two people: payrun resume ${run}`,
  ].join('\n');
}

/** What became of the rows, and what is left to people. */
export function renderCancelled({ counts }: CancelledRun, run: RunSummary): string {
  const { cancelled = 0, unknown = 0 } = run.rows;
  const { underWay } = counts;
  const open = underWay === 0 ? '' : ` ${counted(underWay, 'row is', 'rows are')} looked up first and then ended.`;
  const lines = [
    `Cancelled. ${counted(cancelled, 'row')} will not be paid, and may be submitted again.${open}`,
    ...(unknown === 0
      ? []
      : [
          `${counted(unknown, 'row is', 'rows are')} with the provider, or may be, and could still be funded there:`,
          'do not submit them again; have them cancelled by the provider, then settle each of them:',
          `payrun resolve ${printable(run.runId)} --row REF --outcome rejected --reason TEXT (which: show --rows)`,
        ]),
    `See: payrun show ${printable(run.runId)}`,
  ];
  return lines.join('\n');
}

export function renderStops(stops: readonly StopSummary[]): string {
  if (stops.length === 0) return 'Nothing is stopped.';
  return textTable(
    [
      { title: 'What' },
      { title: 'Since' },
      { title: 'By', maxWidth: 24 },
      { title: 'Why', maxWidth: 40 },
      { title: 'Now' },
    ],
    stops.map((stop) => [
      whatOf(stop),
      moment(stop.stoppedAt),
      stop.stoppedBy?.name ?? 'at the start of payrun',
      stop.reason ?? '',
      stateOf(stop),
    ]),
  );
}

/** One line for a run that is stopped. */
export function stopNotice(stop: StopSummary): string {
  const who = stop.stoppedBy?.name ?? 'whoever started payrun';
  const why = stop.reason === null ? '' : `: ${stop.reason}`;
  return printable(`Stopped (${whatOf(stop)}) on ${moment(stop.stoppedAt)} by ${who}${why}. ${stateOf(stop)}.`);
}

function whatOf({ scope, runId, account }: StopSummary): string {
  if (scope === 'run') return `run ${runId ?? ''}`;
  return scope === 'account' ? `account ${account ?? ''}` : 'everything';
}

function stateOf({ isCancelled, liftAskedBy }: StopSummary): string {
  if (isCancelled) return 'Cancelled for good';
  if (liftAskedBy === null) return 'Nothing more is sent';
  return `${liftAskedBy.name} has asked to lift it; a checker other than they does`;
}
