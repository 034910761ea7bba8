import { DELIVERY_ERRORS } from '../../../domain/notifications/delivery-errors.ts';
import type { DeliverySummary } from '../../sdk/index.ts';
import { printable } from '../printable.ts';
import { textTable } from '../text-table.ts';
import { counted, moment, words } from '../wording.ts';

/** Deliveries as a table, then what to do about the errors in it. */
export function renderDeliveries(deliveries: readonly DeliverySummary[]): string {
  if (deliveries.length === 0) return 'There are no deliveries.';
  const table = textTable(
    [
      { title: 'Delivery' },
      { title: 'Type' },
      { title: 'Of' },
      { title: 'Endpoint', maxWidth: 20 },
      { title: 'State' },
    ],
    deliveries.map((delivery) => [
      delivery.deliveryId,
      delivery.type,
      delivery.subjectId,
      delivery.endpointName,
      stateOf(delivery),
    ]),
  );
  return [table, ...explanationsOf(deliveries)].join('\n');
}

function stateOf({ state, attempts, httpStatus, error, attemptedAt, nextAttemptAt }: DeliverySummary): string {
  if (state === 'delivered') return `delivered on ${moment(attemptedAt ?? '')}`;
  const why = error === null ? '' : `: ${words(error)}${httpStatus === null ? '' : ` ${httpStatus}`}`;
  const next = nextAttemptAt === null || attempts === 0 ? '' : `, again on ${moment(nextAttemptAt)}`;
  return `${state}${attempts === 0 ? '' : ` after ${counted(attempts, 'attempt')}`}${why}${next}`;
}

function explanationsOf(deliveries: readonly DeliverySummary[]): string[] {
  const errors = new Set(deliveries.flatMap(({ state, error }) => (state === 'delivered' ? [] : [error])));
  const known = Object.entries(DELIVERY_ERRORS).filter(([code]) => errors.has(code));
  return known.map(([code, { cause, fix }]) => printable(`${words(code)}: ${cause} ${fix}`.replaceAll('`', "'")));
}
