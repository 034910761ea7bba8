import { type ConversionState, mayRunLate } from '../../domain/treasury/conversion-state.ts';
import { type OrderStage, readOrderStage as readStage } from '../../store/treasury/order-watch.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/** What the workflow of an order does next. */
export type OrderStep =
  | 'open'
  | 'expire'
  | 'quote'
  | 'create'
  | 'resolve_creation'
  | 'fund'
  | 'find_out_funding'
  | 'read'
  | 'check_credit'
  | 'resolve'
  | 'wait';

export interface OrderPlan {
  state: ConversionState;
  hasEnded: boolean;
  step: OrderStep;
  manualOutcomeId: string | null;
  /** When to look again if nothing changes. */
  waitMs: number;
  pauses: { firstMs: number; maxMs: number };
}

/** A workflow looks at its order at least so often, and no more often at one that has lapsed: one that has not for longer may be lost. */
const LOOK_EVERY_MS = 3_600_000;

export function readOrderStageActivity({ database, settings }: ActivityDependencies) {
  return async function readOrderStage({ orderId }: { orderId: string }): Promise<OrderPlan> {
    const stage = await readStage(database, orderId);
    const { firstPauseMs: firstMs, maxPauseMs: maxMs } = settings.treasury;
    return {
      state: stage.state,
      hasEnded: stage.hasEnded,
      step: stepOf(stage),
      manualOutcomeId: stage.manualOutcomeId,
      waitMs: Math.max(1, Math.min(LOOK_EVERY_MS, untilDue(stage))),
      pauses: mayRunLate(stage.state) ? { firstMs: LOOK_EVERY_MS, maxMs: LOOK_EVERY_MS } : { firstMs, maxMs },
    };
  };
}

/** What comes next, by the database alone. */
export function stepOf(stage: OrderStage): OrderStep {
  const { hasConversion, expiresInMs, cutoffInMs, manualOutcomeId, funding } = stage;
  const hasExpired = expiresInMs <= 0;
  const isPastCutoff = cutoffInMs !== null && cutoffInMs <= 0;
  // A debit may come late, whatever is known of the request: only the history shows it.
  const mayBeDebited = funding === 'open' || funding === 'without_effect';
  switch (stage.state) {
    case 'proposed':
      return hasExpired ? 'expire' : 'open';
    case 'in_approval':
      return hasExpired ? 'expire' : 'wait';
    case 'approved':
      return hasExpired ? 'expire' : 'quote';
    case 'quoted':
      return 'create';
    case 'committed':
      return 'resolve_creation';
    case 'created':
    case 'funding':
      if (funding === 'open') return 'find_out_funding';
      if (funding === 'without_effect' && !stage.isProvenUnfunded) return 'find_out_funding';
      // What is debited already is not funded, whatever is known of requests.
      // guard: conversion-posted-is-not-funded
      if (isPastCutoff || stage.isDebitPosted) return mayBeDebited ? 'find_out_funding' : 'read';
      return stage.isToBeReadBeforeFunding ? 'find_out_funding' : 'fund';
    case 'funded':
      return 'read';
    case 'completed':
      return 'check_credit';
    case 'held':
      if (manualOutcomeId !== null) return 'resolve';
      if (!hasConversion) return hasExpired ? 'expire' : 'wait';
      if (mayBeDebited) return 'find_out_funding';
      // guard: conversion-held-with-effect-is-read
      return isPastCutoff || funding === 'took_effect' ? 'read' : 'wait';
    case 'lapsed':
      return mayBeDebited ? 'find_out_funding' : 'read';
    case 'unknown':
      if (manualOutcomeId !== null) return 'resolve';
      if (stage.stateReason === 'credit_not_seen') return 'check_credit';
      if (!hasConversion) return 'resolve_creation';
      return mayBeDebited && stage.stateReason !== 'completion_not_seen' ? 'find_out_funding' : 'read';
    default:
      return 'wait';
  }
}

function untilDue({ state, hasConversion, expiresInMs, cutoffInMs }: OrderStage): number {
  if (state === 'held' && hasConversion) return cutoffInMs ?? Infinity;
  if (state === 'in_approval' || state === 'held') return expiresInMs;
  return Infinity;
}
