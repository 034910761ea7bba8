import { mayLapse } from '../../domain/treasury/conversion-state.ts';
import { type Database, inTransaction } from '../../store/database/database.ts';
import { beginReading } from '../../store/payments/reading.ts';
import { readOpenOrderRequest, recordOrderAnswer } from '../../store/treasury/order-requests.ts';
import { peekOrderStage, readFundedSince, readFundingRequests } from '../../store/treasury/order-watch.ts';
import { moveOrder, recordShown } from '../../store/treasury/order-transition.ts';
import { lockOrder, type OrderRecord, readOrder } from '../../store/treasury/orders.ts';
import { callRepeatable } from '../calls/call-provider.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { giveUpIfUnfunded } from './judge-funding.ts';
import { stateOf, type OrderOutcome } from './order-calls.ts';

/** Reads the conversion of an order. Only `completed` means that it was funded. Contract: payments 4.3. */
export function readConversionActivity(dependencies: ActivityDependencies) {
  const { database } = dependencies;
  return async function readConversion({ orderId }: { orderId: string }): Promise<OrderOutcome> {
    const record = await readOrder(database, orderId);
    try {
      if (record.conversionId !== null) await refreshConversion(dependencies, record, record.conversionId);
    } finally {
      // Also where it cannot be read: nobody waits for ever without people being notified.
      await giveUpIfOverdue(dependencies, orderId);
      // Of one that somebody has asked to fund, the history is judged first.
      if ((await readFundingRequests(database, orderId)) === 'none') await giveUpIfUnfunded(dependencies, orderId);
    }
    return stateOf(database, orderId);
  };
}

/** Funded for long and not completed, or past its cut-off although only the history says that it was funded: people have to find out. */
async function giveUpIfOverdue({ database, settings, now }: ActivityDependencies, orderId: string): Promise<void> {
  const funded = await readFundedSince(database, orderId);
  if (funded === null) return;
  const { fundingCutoffMs } = await readOrder(database, orderId);
  const isTooOld = now() - funded.sinceMs > settings.treasury.completionAgeLimitMs;
  const isDoubtful = funded.isByHistoryAlone && fundingCutoffMs !== null && fundingCutoffMs < now();
  // guard: conversion-completion-has-an-age
  if (isTooOld || isDoubtful) {
    await moveOrder(database, orderId, 'unknown', { from: ['funded'], reason: 'completion_not_seen' });
  }
}

/** What is completed was funded: a request whose outcome was not known has taken effect. */
async function recordCompleted(database: Database, orderId: string): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await lockOrder(transaction, orderId);
    const open = await readOpenOrderRequest(transaction, orderId, 'fund');
    if (open !== null) {
      const { requestId, answer } = open;
      const taken = { outcome: 'took_effect', answer: answer ?? 'unknown_outcome', httpStatus: null } as const;
      await recordOrderAnswer(transaction, { requestId, ...taken });
    }
    await moveOrder(transaction, orderId, 'completed', { isFunded: true });
  });
}

export async function refreshConversion(
  { database, provider, now }: ActivityDependencies,
  { terms, state, fundingCutoffMs }: OrderRecord,
  conversionId: string,
): Promise<void> {
  const { orderId, account } = terms;
  const readAt = await beginReading(database);
  const { value } = await callRepeatable((options) => provider(account).conversions.item(conversionId, options));
  const cutoffMs = value.fundingCutoffTime?.epochMs ?? null;
  await recordShown(database, orderId, { status: value.status, fundingCutoffMs: cutoffMs, readAt });
  if (value.status === 'completed') {
    await recordCompleted(database, orderId);
    return;
  }
  const isPast = (cutoffMs ?? fundingCutoffMs ?? Infinity) < now();
  if (!mayLapse(state) || state === 'unknown' || !isPast || value.status !== 'awaiting_funds') return;
  const { funding, isDebitPosted } = await peekOrderStage(database, orderId);
  // Nobody has asked to fund it. If somebody has, only the history shows that the money has not left.
  // guard: conversion-posted-has-not-lapsed, conversion-lapsed-by-history
  if (funding === 'none' && !isDebitPosted) {
    await moveOrder(database, orderId, 'lapsed', { reason: 'cutoff_passed', from: [state] });
  }
}
