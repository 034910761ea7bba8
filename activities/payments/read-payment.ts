import { isUnfunded, type PaymentState } from '../../domain/payments/payment-state.ts';
import { noteCutOff } from '../../store/payments/awaiting-funds.ts';
import { applyProviderStatuses } from '../../store/payments/confirmation.ts';
import { keepLookUp } from '../../store/payments/look-ups.ts';
import { type SimplePayment } from '../../provider/payments/simple-payment-fields.ts';
import { transitionPayment, resolveOpenRequest } from '../../store/payments/payment-outcome.ts';
import { readOpenRequest } from '../../store/payments/payment-requests.ts';
import { type PaymentRecord, readPayment as readRecord } from '../../store/payments/payments.ts';
import { beginReading } from '../../store/payments/reading.ts';
import { callRepeatable } from './call-provider.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { knownState } from './known-status.ts';
import { terminalFieldsOf, paymentUpdateOf, instantOf, observationOf } from './payment-update.ts';
import { createdUpdate, isSealedPayment } from './sealed-facts.ts';
import { resolveOutcome } from './visibility-delay.ts';

export type ReadOutcome = { kind: 'moved_on'; state: PaymentState } | { kind: 'awaiting_funds' };

/** Fundings that were refused this often, with enough money and the payment still unfunded, are given up. */
const REFUSALS_BEFORE_GIVING_UP = 3;

/** Never `failed`: what the provider shows as unfunded could be funded there by anybody, and be paid twice. */
const FUNDING_REFUSED = {
  error_code: 'funding_refused',
  error_message:
    'the provider refuses to fund it, although there is money, and shows it unfunded: it could still be funded there, ' +
    'so have it cancelled there, then resolve it',
};

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
    if (open !== null) resolveOutcome(open, settings);
    const readAt = await beginReading(database);
    const { value } = await callRepeatable((options) =>
      provider(account).simplePayments.item(providerPaymentId, options),
    );
    const seen = [{ providerPaymentId, status: value.status }];
    await keepLookUp(database, paymentId, { asked: 'read', payments: seen, onlyOthers: false }, readAt);
    if (open === null) {
      await applyProviderStatuses(database, account, readAt, [observationOf(value, settings.stateOf)]);
      if (isUnfunded(record.state) && knownState(value.status, settings.stateOf) === 'created') {
        const cutOff = instantOf(value.fundingCutoffTime);
        if (cutOff !== null) await noteCutOff(database, paymentId, cutOff);
        await sealIfApproved(record, value);
      }
      const { state } = await readRecord(database, paymentId);
      return isUnfunded(state) ? { kind: 'awaiting_funds' } : { kind: 'moved_on', state };
    }
    const state = knownState(value.status, settings.stateOf);
    if (state === 'created') {
      const isGivenUp = open.answer === 'refused' && open.earlierRefused >= REFUSALS_BEFORE_GIVING_UP;
      const end = isGivenUp ? 'unknown' : null;
      const facts = isGivenUp ? { ...FUNDING_REFUSED, ended_at: new Date(now()) } : {};
      await resolveOpenRequest(database, { requestId: open.requestId, outcome: 'had_no_effect', to: end, facts });
      return end === null ? { kind: 'awaiting_funds' } : { kind: 'moved_on', state: end };
    }
    await resolveOpenRequest(database, {
      requestId: open.requestId,
      outcome: 'took_effect',
      to: state,
      facts: {
        error_code: null,
        error_message: null,
        ...paymentUpdateOf(value),
        ...terminalFieldsOf(value, state, now()),
        ...(state === 'processing' || state === 'paid' ? { funded_at: new Date(now()) } : {}),
      },
    });
    return { kind: 'moved_on', state };
  };

  /** A payment whose seal is missing, or of other credentials, is compared with what was approved before it is funded. */
  async function sealIfApproved(record: PaymentRecord, shown: SimplePayment): Promise<void> {
    const { instruction, paymentId } = record;
    const records = seal(record.account);
    if (!isUnfunded(record.state) || instruction === null || isSealedPayment(records, record)) return;
    const { maxFeePercent } = settings;
    const { state, facts, detail } = createdUpdate(records, { payment: record, instruction, maxFeePercent }, shown);
    const kind = state === 'created' ? 'payment_sealed' : 'payment_differs';
    await transitionPayment(database, {
      paymentId,
      // Sealed, one that waits for money goes on waiting.
      to: state === 'created' ? record.state : state,
      kind,
      facts: { ...facts, ...(state === 'unknown' ? { ended_at: new Date(now()) } : {}) },
      detail,
    });
  }
}
