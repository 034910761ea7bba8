import { conversionReferenceId } from '../../domain/treasury/conversion-identity.ts';
import { noteLookUp } from '../../store/treasury/order-requests.ts';
import { concludeResolution, readResolutionOutcome } from '../../store/treasury/order-resolutions.ts';
import { type OrderRecord, readOrder } from '../../store/treasury/orders.ts';
import { callRepeatable } from '../calls/call-provider.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { assessFunding, recordSeenFunding } from './assess-funding.ts';
import { stateOf, type OrderOutcome } from './order-calls.ts';
import { refreshConversion } from './read-conversion.ts';

/**
 * Acts on what two people have said of an order, after the provider was read once more: it may show otherwise. The history and
 * the balance are read just before, by activities of their own: a conversion whose debit they show is neither funded again nor
 * called lapsed. Contract: payments 4.3.
 */
export function resolveConversionActivity(dependencies: ActivityDependencies) {
  const { database, provider } = dependencies;
  return async function resolveConversion(input: { orderId: string; resolutionId: string }): Promise<OrderOutcome> {
    const { orderId, resolutionId } = input;
    const record = await readOrder(database, orderId);
    const { conversionId } = record;
    if (conversionId === null) {
      await concludeResolution(database, resolutionId, await hasOne(record));
    } else {
      await refreshConversion(dependencies, { ...record, state: 'unknown' }, conversionId);
      await concludeUnlessDebited(record, resolutionId);
    }
    return stateOf(database, orderId);
  };

  /** Of several people know more than a search shows. */
  async function hasOne({ terms, attempt }: OrderRecord): Promise<boolean> {
    const referenceId = conversionReferenceId(terms.orderId, attempt);
    const { value } = await callRepeatable((options) =>
      provider(terms.account).conversions.findByReference(referenceId, options),
    );
    await noteLookUp(database, terms.orderId, value.ours.length);
    return value.ours.length === 1;
  }

  async function concludeUnlessDebited({ terms }: OrderRecord, resolutionId: string): Promise<void> {
    const outcome = await readResolutionOutcome(database, resolutionId);
    const assessed = await assessFunding(dependencies, terms.orderId);
    const isDebited = assessed?.found === 'seen' && (outcome === 'fund_again' || outcome === 'lapsed');
    await concludeResolution(database, resolutionId, isDebited);
    if (isDebited) await recordSeenFunding(database, terms.orderId);
  }
}
