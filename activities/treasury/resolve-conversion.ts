import { conversionReferenceId } from '../../domain/treasury/conversion-identity.ts';
import { noteLookUp, readOpenOrderRequest } from '../../store/treasury/order-requests.ts';
import { concludeResolution, readResolutionOutcome } from '../../store/treasury/order-resolutions.ts';
import { type OrderRecord, readOrder } from '../../store/treasury/orders.ts';
import { callRepeatable } from '../calls/call-provider.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { assessFunding, recordSeenFunding } from './assess-funding.ts';
import { recordCreated } from './create-conversion.ts';
import { stateOf, type OrderOutcome } from './order-calls.ts';
import { refreshConversion } from './read-conversion.ts';

/**
 * Acts on what two people have said of an order, after the provider was read once more: it may show otherwise. The history and
 * the balance are read just before, by activities of their own: a conversion whose debit they show is neither funded again nor
 * called lapsed. Contract: payments 4.3.
 */
export function resolveConversionActivity(dependencies: ActivityDependencies) {
  const { database, provider, seal } = dependencies;
  return async function resolveConversion(input: { orderId: string; resolutionId: string }): Promise<OrderOutcome> {
    const { orderId, resolutionId } = input;
    const record = await readOrder(database, orderId);
    const { conversionId } = record;
    if (conversionId === null) {
      const isFound = await adoptTheOne(record);
      await concludeResolution(database, resolutionId, isFound);
    } else {
      await refreshConversion(dependencies, { ...record, state: 'unknown' }, conversionId);
      await concludeUnlessDebited(record, resolutionId);
    }
    return stateOf(database, orderId);
  };

  /** The one conversion of our reference is the order's, whatever people say. Of several, people know more than a search shows. */
  async function adoptTheOne({ terms, attempt }: OrderRecord): Promise<boolean> {
    const referenceId = conversionReferenceId(terms.orderId, attempt);
    const { value } = await callRepeatable((options) =>
      provider(terms.account).conversions.findByReference(referenceId, options),
    );
    await noteLookUp(database, terms.orderId, value.ours.length);
    const [found, ...more] = value.ours;
    if (found === undefined || more.length > 0) return false;
    const open = await readOpenOrderRequest(database, terms.orderId, 'create');
    if (open !== null) {
      const { requestId } = open;
      const of = { orderId: terms.orderId, requestId, httpStatus: null, isOurAnswer: false };
      await recordCreated(database, seal(terms.account), of, found);
    }
    return true;
  }

  async function concludeUnlessDebited({ terms }: OrderRecord, resolutionId: string): Promise<void> {
    const outcome = await readResolutionOutcome(database, resolutionId);
    const assessed = await assessFunding(dependencies, terms.orderId);
    const isDebited = assessed?.found === 'seen' && (outcome === 'fund_again' || outcome === 'lapsed');
    await concludeResolution(database, resolutionId, isDebited);
    if (isDebited) await recordSeenFunding(database, terms.orderId);
  }
}
