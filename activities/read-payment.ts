import type { PaymentState } from '../domain/payment-state.ts';
import { recordSightings } from '../store/confirmation.ts';
import { keepLookUp } from '../store/look-ups.ts';
import { type SimplePayment } from '../provider/simple-payment-fields.ts';
import { setPaymentAside, settleOpenRequest } from '../store/payment-outcome.ts';
import { type OpenRequest, readOpenRequest } from '../store/payment-requests.ts';
import { type PaymentRecord, readPayment as readRecord } from '../store/payments.ts';
import { beginReading } from '../store/reading.ts';
import { callRepeatable } from './call-provider.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { knownState } from './known-status.ts';
import { factsOfEnd, factsOfPayment, sightingOf } from './payment-facts.ts';
import { createdFacts, isSealedPayment } from './sealed-facts.ts';
import { waitUntilSettled } from './settle-time.ts';

export type ReadOutcome = { kind: 'moved_on'; state: PaymentState } | { kind: 'awaiting_funds' };

/** Fundings that were refused this often, with the payment still unfunded, are given up. */
const REFUSALS_BEFORE_GIVING_UP = 3;

const MAY_BE_FUNDED = {
  error_code: 'funding_not_shown',
  error_message: 'the provider refuses to fund it and shows it unfunded, but an earlier funding may have taken effect',
};

/**
 * Where a payment goes whose funding was refused again and again; null: it is funded again. It has failed only when no
 * funding of it can have taken effect, since a read may be older than the funding, however often it is repeated.
 */
function endOfRefused(open: OpenRequest): 'failed' | 'unknown' | null {
  if (open.httpStatus === null || open.httpStatus >= 500 || open.earlierRefused < REFUSALS_BEFORE_GIVING_UP)
    return null;
  return open.refused && open.earlierUncertain === 0 ? 'failed' : 'unknown';
}

/**
 * Reads one payment. Where a funding is open, the read settles it: past `awaiting_funds` it took effect; still there
 * after the settle time it did not, and may be sent again.
 */
export function readPaymentActivity({ database, provider, seal, settings, now }: ActivityDependencies) {
  return async function readPayment({ paymentId }: { paymentId: string }): Promise<ReadOutcome> {
    const open = await readOpenRequest(database, paymentId, 'fund');
    const record = await readRecord(database, paymentId);
    const { account, providerPaymentId } = record;
    if (providerPaymentId === null) throw new Error(`payment ${paymentId} is not known to the provider`);
    if (open !== null) waitUntilSettled(open, settings);
    const readAt = await beginReading(database);
    const { value } = await callRepeatable((options) =>
      provider(account).simplePayments.item(providerPaymentId, options),
    );
    const seen = [{ providerPaymentId, status: value.status }];
    await keepLookUp(database, paymentId, { asked: 'read', payments: seen, onlyOthers: false }, readAt);
    if (open === null) {
      await recordSightings(database, account, readAt, [sightingOf(value, settings.stateOf)]);
      if (settings.stateOf(value.status) === 'created') await sealIfApproved(record, value);
      const { state } = await readRecord(database, paymentId);
      return state === 'created' ? { kind: 'awaiting_funds' } : { kind: 'moved_on', state };
    }
    const state = knownState(value.status, settings.stateOf);
    if (state === 'created') {
      const end = endOfRefused(open);
      const facts = end === null ? {} : { settled_at: new Date(now()), ...(end === 'unknown' ? MAY_BE_FUNDED : {}) };
      await settleOpenRequest(database, { requestId: open.requestId, outcome: 'had_no_effect', to: end, facts });
      return end === null ? { kind: 'awaiting_funds' } : { kind: 'moved_on', state: end };
    }
    await settleOpenRequest(database, {
      requestId: open.requestId,
      outcome: 'took_effect',
      to: state,
      facts: {
        error_code: null,
        error_message: null,
        ...factsOfPayment(value),
        ...factsOfEnd(value, state, now()),
        ...(state === 'processing' || state === 'paid' ? { funded_at: new Date(now()) } : {}),
      },
    });
    return { kind: 'moved_on', state };
  };

  /** A payment whose seal is missing, or of other credentials, is compared with what was approved before it is funded. */
  async function sealIfApproved(record: PaymentRecord, shown: SimplePayment): Promise<void> {
    const { instruction, paymentId } = record;
    const records = seal(record.account);
    if (record.state !== 'created' || instruction === null || isSealedPayment(records, record)) return;
    const { state, facts, detail } = createdFacts(records, { payment: record, instruction }, shown);
    const kind = state === 'created' ? 'payment_sealed' : 'payment_differs';
    await setPaymentAside(database, {
      paymentId,
      to: state,
      kind,
      facts: { ...facts, ...(state === 'unknown' ? { settled_at: new Date(now()) } : {}) },
      detail,
    });
  }
}
