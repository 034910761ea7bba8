import type { CancelledRun, CreatedStop, RunSummary, StopSummary } from '../../sdk/index.ts';
import { printable } from '../printable.ts';
import { textTable } from '../text-table.ts';
import { count, counted, moment } from '../wording.ts';

/** What was stopped, what was sent already, and what to do next. `runId` null: an account or everything is stopped. */
export function renderMadeStop({ counts }: CreatedStop, runId: string | null): string {
  if (runId === null) {
    return 'Stopped. Nothing more is sent until two people lift the stop: both run payrun resume --all, or --account NAME.';
  }
  const run = printable(runId);
  if (counts === null) {
    return [
      'Stopped. Nothing more of the run is sent; payments sent already could not be counted.',
      `See: payrun show ${run}`,
    ].join('\n');
  }
  const { sent, created, notSent, underWay } = counts;
  const unfunded =
    created === 0
      ? ''
      : ` ${counted(created, 'payment is', 'payments are')} with the provider, and will not be funded.`;
  const open =
    underWay === 0 ? '' : ` ${counted(underWay, 'request is on its', 'requests are on their')} way or being looked up.`;
  return [
    `Stopped. ${count(sent)} already sent, ${count(notSent)} will not be paid.${unfunded}${open}`,
    `To end it for good: payrun cancel ${run}${created === 0 ? '' : ' (payments with the provider must then be resolved by hand)'}`,
    `To resume, by two people: payrun resume ${run}`,
  ].join('\n');
}

/** The outcome of the rows, and what people must do next. */
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
          'do not submit them again; have them cancelled by the provider, then resolve each of them:',
          `payrun resolve ${printable(run.runId)} --row REF --outcome rejected --reason TEXT (REF from show --rows)`,
        ]),
    `See: payrun show ${printable(run.runId)}`,
  ];
  return lines.join('\n');
}

export function renderStops(stops: readonly StopSummary[]): string {
  if (stops.length === 0) return 'Nothing is stopped.';
  return textTable(
    [
      { title: 'Stopped' },
      { title: 'Since' },
      { title: 'By', maxWidth: 24 },
      { title: 'Reason', maxWidth: 40 },
      { title: 'State' },
    ],
    stops.map((stop) => [
      scopeOf(stop),
      moment(stop.stoppedAt),
      stop.stoppedBy?.name ?? (stop.refusals === null ? 'at the start of payrun' : 'payrun'),
      stop.reason ?? '',
      stateOf(stop),
    ]),
  );
}

/** One line about a stop. */
export function stopNotice(stop: StopSummary): string {
  const by = stop.stoppedBy?.name ?? (stop.refusals === null ? 'whoever started payrun' : 'payrun');
  const reason = stop.reason === null ? '' : `: ${stop.reason}`;
  return printable(`Stopped (${scopeOf(stop)}) on ${moment(stop.stoppedAt)} by ${by}${reason}. ${stateOf(stop)}.`);
}

function scopeOf({ scope, runId, account }: StopSummary): string {
  if (scope === 'run') return `run ${runId ?? ''}`;
  return scope === 'account' ? `account ${account ?? ''}` : 'everything';
}

function stateOf({ isCancelled, liftRequestedBy }: StopSummary): string {
  if (isCancelled) return 'Cancelled for good';
  if (liftRequestedBy === null) return 'Nothing more is sent';
  return `${liftRequestedBy.name} asked to lift it; another person, a checker, confirms`;
}
