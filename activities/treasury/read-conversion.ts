import { conversionReferenceId } from '../../domain/treasury/conversion-identity.ts';
import type { ConversionState } from '../../domain/treasury/conversion-state.ts';
import { type Database, inTransaction } from '../../store/database/database.ts';
import { beginReading } from '../../store/payments/reading.ts';
import { noteLookUp, readOpenOrderRequest, recordOrderAnswer } from '../../store/treasury/order-requests.ts';
import { concludeResolution } from '../../store/treasury/order-resolutions.ts';
import { moveOrder, recordShown } from '../../store/treasury/order-transition.ts';
import { lockOrder, type OrderRecord, readOrder } from '../../store/treasury/orders.ts';
import { callRepeatable } from '../calls/call-provider.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { stateOf, type OrderOutcome } from './order-calls.ts';

/** Reads the conversion of an order. Only `completed` means that it was funded. Contract: payments 4.3. */
export function readConversionActivity(dependencies: ActivityDependencies) {
  const { database } = dependencies;
  return async function readConversion({ orderId }: { orderId: string }): Promise<OrderOutcome> {
    const record = await readOrder(database, orderId);
    if (record.conversionId !== null) await refreshConversion(dependencies, record, record.conversionId);
    return stateOf(database, orderId);
  };
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

const LAPSING: readonly ConversionState[] = ['created', 'funding', 'held'];

async function refreshConversion(
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
  // Nobody has asked to fund it without it being known that this had no effect.
  const isUnfunded = LAPSING.includes(state) && (await readOpenOrderRequest(database, orderId, 'fund')) === null;
  const isPast = (cutoffMs ?? fundingCutoffMs ?? Infinity) < now();
  if (isUnfunded && isPast && value.status === 'awaiting_funds') {
    await moveOrder(database, orderId, 'lapsed', { reason: 'cutoff_passed', from: [state] });
  }
}

/**
 * Acts on what two people have said of an order, after the provider was read once more: it may show otherwise. Contract: payments
 * 4.3.
 */
export function resolveConversionActivity(dependencies: ActivityDependencies) {
  const { database, provider } = dependencies;
  return async function resolveConversion(input: { orderId: string; resolutionId: string }): Promise<OrderOutcome> {
    const { orderId, resolutionId } = input;
    const record = await readOrder(database, orderId);
    let contradicts = false;
    if (record.conversionId === null) {
      const referenceId = conversionReferenceId(orderId, record.attempt);
      const { value } = await callRepeatable((options) =>
        provider(record.terms.account).conversions.findByReference(referenceId, options),
      );
      await noteLookUp(database, orderId, value.ours.length);
      // Of several people know more than a search shows.
      contradicts = value.ours.length === 1;
    } else {
      await refreshConversion(dependencies, { ...record, state: 'unknown' }, record.conversionId);
    }
    await concludeResolution(database, resolutionId, contradicts);
    return stateOf(database, orderId);
  };
}
