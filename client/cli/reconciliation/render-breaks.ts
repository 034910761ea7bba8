import type { BreakSummary } from '../../sdk/index.ts';
import { printable } from '../printable.ts';
import { textTable } from '../text-table.ts';
import { duration, money, words } from '../wording.ts';

const SHORT_ID = 8;

/** A line for each break, the oldest first. */
export function renderBreaks(breaks: readonly BreakSummary[]): string {
  if (breaks.length === 0) return 'There are no such breaks.';
  return textTable(
    [
      { title: 'Break' },
      { title: 'Day (UTC)' },
      { title: 'Account', maxWidth: 20 },
      { title: 'Type' },
      { title: 'Currency' },
      { title: 'Expected', align: 'right' },
      { title: 'Found', align: 'right' },
      { title: 'Age' },
      { title: 'Owner', maxWidth: 20 },
      { title: 'State', maxWidth: 40 },
    ],
    breaks.map((one) => [
      one.breakId.slice(0, SHORT_ID),
      one.day,
      one.account,
      words(one.type),
      one.currency,
      one.expected === null ? '' : money(one.expected),
      one.found === null ? '' : money(one.found),
      duration(one.ageSeconds),
      one.owner?.name ?? '',
      stateOf(one),
    ]),
  );
}

/** One break, with its reason, and what is to be done next. */
export function renderBreak(one: BreakSummary): string {
  const lines = [
    `${one.breakId}: ${words(one.type)} of ${one.day}, ${stateOf(one)}`,
    one.reason,
    ...(one.owner === null ? [] : [`Owner: ${one.owner.name}`]),
    ...(one.explanation === null ? [] : [`Explanation: ${one.explanation}`]),
    ...(one.state === 'explained'
      ? [`Another person, a checker: payrun reconcile close-break ${one.breakId.slice(0, SHORT_ID)}`]
      : []),
  ];
  return lines.map(printable).join('\n');
}

function stateOf({ state, explainedBy, closedBy }: BreakSummary): string {
  if (state === 'closed') return `closed by ${closedBy?.name ?? ''}`;
  return state === 'explained' ? `explained by ${explainedBy?.name ?? ''}` : words(state);
}
