import { dayOf } from '../../domain/calendar-date.ts';
import { referenceIdOf } from '../../domain/payments/payment-identity.ts';
import type { Violation } from './checks.ts';
import type { RunningWorkflow, World } from './world.ts';

/** What is reserved for runs yields to what is due earlier. */

/** Of the account $1, in minor units: of runs, and what is free. */
export const RESERVES = `(select coalesce(json_agg(json_build_object('of', ledger_account, 'currency', currency, 'amount', round(100 * amount))), '[]')
  from ledger_balances where account = $1 and (kind = 'run' or ledger_account = 'free'))`;

export interface Reserve {
  /** `free`, or `run/` and its id. */
  of: string;
  currency: string;
  amount: number;
}

/** A payment that has just been refused for lack of money finds none that is reserved for what is due later. */
export function shortBesideReserves(world: World, reserves: readonly Reserve[]): Violation | null {
  for (const workflow of world.workflows.values()) {
    if (!workflow.isNewlyShort) continue;
    workflow.isNewlyShort = false;
    const violation = couldHaveBeenPaid(world, workflow, reserves);
    if (violation !== null) return violation;
  }
  return null;
}

function couldHaveBeenPaid(world: World, { row }: RunningWorkflow, reserves: readonly Reserve[]): Violation | null {
  const { currency } = row.need;
  const amountOf = (of: string): number =>
    reserves.find((reserve) => reserve.of === of && reserve.currency === currency)?.amount ?? 0;
  const payment = world.provider.payments.find(({ referenceId }) => referenceId === referenceIdOf(row.paymentId, 1));
  if (payment === undefined) return null;
  const lacking = payment.sell + payment.fee - Math.max(amountOf('free'), 0) - amountOf(`run/${row.runId}`);
  const later = world.runs.filter((runId) => runId !== row.runId && isDueLater(world, runId));
  const reserved = later.reduce((sum, runId) => sum + amountOf(`run/${runId}`), 0);
  if (lacking <= 0 || reserved < lacking) return null;
  const detail = `${row.paymentId} lacks ${lacking} ${currency}, and ${reserved} are reserved for what is due later`;
  return { rule: 'short_beside_reserves', detail };
}

function isDueLater(world: World, runId: string): boolean {
  const today = dayOf(world.place.time.now());
  return world.rows.every((row) => row.runId !== runId || (row.need.payOn !== null && row.need.payOn > today));
}
