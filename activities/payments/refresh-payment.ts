import { referenceIdOf } from '../../domain/payments/payment-identity.ts';
import { hasEnded, isUnfunded, moneyHasLeft, type PaymentState } from '../../domain/payments/payment-state.ts';
import type { SimplePayment } from '../../provider/payments/simple-payment-fields.ts';
import { recordCutOff } from '../../store/payments/funding-deadline.ts';
import { applyProviderStatuses } from '../../store/payments/provider-statuses.ts';
import { recordLookup } from '../../store/payments/payment-lookups.ts';
import { resolveOpenRequest, transitionPayment } from '../../store/payments/payment-outcome.ts';
import type { PaymentUpdate } from '../../store/payments/payment-transition.ts';
import { type OpenRequest, readOpenRequest } from '../../store/payments/request-history.ts';
import { type PaymentRecord, readPayment as readRecord } from '../../store/payments/payments.ts';
import { beginReading } from '../../store/payments/reading.ts';
import { callRepeatable } from '../calls/call-provider.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { createdUpdate } from './created-payment.ts';
import { lookupOf } from './get-payment.ts';
import { lookForCreation, reopenIfContradicted } from './look-for-creation.ts';
import { hasValidPaymentMac } from './payment-macs.ts';
import { instantOf, knownState, observationOf, paymentUpdateOf, terminalFieldsOf } from './payment-update.ts';
import { retryUntilVisible } from './visibility-delay.ts';

export type RefreshOutcome = { kind: 'moved_on'; state: PaymentState } | { kind: 'awaiting_funds' };

/** After this many refused fundings, with enough money and the payment still unfunded, a person has to look at it. */
const MAX_FUNDING_REFUSALS = 3;

/** Not `failed`: anybody could still fund the payment at the provider, and a resubmitted one would then be paid twice. */
const FUNDING_REFUSED = {
  error_code: 'funding_refused',
  error_message:
    'the provider refuses to fund it, although there is money, and shows it unfunded: it could still be funded there, ' +
    'so have it cancelled there, then resolve it',
} satisfies PaymentUpdate;

/**
 * Reads one payment from the provider. An open funding request is resolved by it: if the payment is past `awaiting_funds`,
 * the funding took effect; if it is still there after the visibility delay, it did not, and may be sent again. One whose
 * creation was not seen has no id there, and is looked for.
 */
export function refreshPaymentActivity(dependencies: ActivityDependencies) {
  const { database, provider, macOf, settings, now } = dependencies;
  return async function refreshPayment({ paymentId }: { paymentId: string }): Promise<RefreshOutcome> {
    const open = await readOpenRequest(database, paymentId, 'fund');
    const record = await readRecord(database, paymentId);
    const { account, providerPaymentId, state } = record;
    if (providerPaymentId === null) {
      // One that has not ended is being created: whoever does that records it.
      // guard: only-unknown-is-looked-for
      if (hasEnded(state)) await lookForCreation(dependencies, record);
      return { kind: 'moved_on', state: (await readRecord(database, paymentId)).state };
    }
    // guard: funding-read-once-visible
    if (open !== null) retryUntilVisible(open, settings);
    const readAt = await beginReading(database);
    const { value: shown } = await callRepeatable((options) =>
      provider(account).simplePayments.item(providerPaymentId, options),
    );
    await recordLookup(
      database,
      paymentId,
      lookupOf('by_id', [shown], referenceIdOf(paymentId, record.attempt)),
      readAt,
    );
    return open === null ? applyReading(record, shown, readAt) : resolveFunding(open, shown);
  };

  async function applyReading(record: PaymentRecord, shown: SimplePayment, readAt: string): Promise<RefreshOutcome> {
    const { paymentId, account } = record;
    await reopenIfContradicted(dependencies, record, [shown]);
    await applyProviderStatuses(database, account, readAt, [observationOf(shown, settings.stateOf)]);
    if (isUnfunded(record.state) && knownState(shown.status, settings.stateOf) === 'created') {
      const cutOff = instantOf(shown.fundingCutoffTime);
      if (cutOff !== null) await recordCutOff(database, paymentId, cutOff);
      await macIfAsApproved(record, shown);
    }
    const { state } = await readRecord(database, paymentId);
    return isUnfunded(state) ? { kind: 'awaiting_funds' } : { kind: 'moved_on', state };
  }

  async function resolveFunding(open: OpenRequest, shown: SimplePayment): Promise<RefreshOutcome> {
    const { requestId } = open;
    const state = knownState(shown.status, settings.stateOf);
    if (state === 'created') {
      const isRefusedForGood = open.answer === 'refused' && open.earlierRefused >= MAX_FUNDING_REFUSALS;
      // guard: unfunded-is-not-failed
      const end = isRefusedForGood ? 'unknown' : null;
      const update = isRefusedForGood ? { ...FUNDING_REFUSED, ended_at: new Date(now()) } : {};
      await resolveOpenRequest(database, { requestId, outcome: 'not_seen', to: end, update });
      return end === null ? { kind: 'awaiting_funds' } : { kind: 'moved_on', state: end };
    }
    const update = {
      error_code: null,
      error_message: null,
      ...paymentUpdateOf(shown),
      ...terminalFieldsOf(shown, state, now()),
      ...(moneyHasLeft(state) ? { funded_at: new Date(now()) } : {}),
    };
    await resolveOpenRequest(database, { requestId, outcome: 'took_effect', to: state, update });
    return { kind: 'moved_on', state };
  }

  /** A payment without a valid MAC (as after a change of credentials) is compared with what was approved, then gets one. */
  async function macIfAsApproved(record: PaymentRecord, shown: SimplePayment): Promise<void> {
    const { plain: instruction, paymentId } = record;
    const mac = macOf(record.account);
    if (!isUnfunded(record.state) || instruction === null || hasValidPaymentMac(mac, record)) return;
    const { state, update, detail } = createdUpdate(mac, { payment: record, instruction }, shown);
    const kind = state === 'created' ? 'payment_verified' : 'payment_differs';
    await transitionPayment(database, {
      paymentId,
      // A payment that waits for funds continues to wait.
      // guard: mac-while-it-waits
      to: state === 'created' ? record.state : state,
      kind,
      update: { ...update, ...(state === 'unknown' ? { ended_at: new Date(now()) } : {}) },
      detail,
    });
  }
}
