import { ApplicationFailure } from '@temporalio/common';
import type { PaymentLookup } from '../../domain/payments/payment-lookup.ts';
import { referenceIdOf } from '../../domain/payments/payment-identity.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import type { SimplePayment } from '../../provider/payments/simple-payment-fields.ts';
import { recordLookup } from '../../store/payments/payment-lookups.ts';
import { type PaymentRecord, readPayment } from '../../store/payments/payments.ts';
import { beginReading } from '../../store/payments/reading.ts';
import { readLookupId } from '../../store/payments/manual-outcomes.ts';
import { callProvider, callRepeatable } from '../calls/call-provider.ts';
import { retryLater } from '../calls/temporal-failures.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/** What an answer shows of the payment with this reference. */
export function lookupOf(
  asked: PaymentLookup['asked'],
  answer: readonly SimplePayment[],
  referenceId: string,
): PaymentLookup {
  const ours = answer.filter((candidate) => candidate.referenceId === referenceId);
  return {
    asked,
    payments: ours.map(({ simplePaymentId, status }) => ({ providerPaymentId: simplePaymentId, status })),
    onlyOthers: ours.length === 0 && answer.length > 0,
  };
}

export interface FoundByReference {
  ours: SimplePayment[];
  lookup: PaymentLookup;
  askedAt: string;
}

/** Asks for the payments under the reference of a row, and records what was found. Contract: payments 4.4. */
export async function findByReference(
  { database, provider }: Pick<ActivityDependencies, 'database' | 'provider'>,
  { paymentId, account, attempt }: PaymentRecord,
): Promise<FoundByReference> {
  const referenceId = referenceIdOf(paymentId, attempt);
  const askedAt = await beginReading(database);
  const { value: payments } = await callRepeatable((options) =>
    provider(account).simplePayments.find({ referenceId }, options),
  );
  const lookup = lookupOf('by_reference', payments, referenceId);
  await recordLookup(database, paymentId, lookup, askedAt);
  // guard: found-by-its-reference
  const ours = payments.filter((candidate) => candidate.referenceId === referenceId);
  return { ours, lookup, askedAt };
}

/** Looks a payment up by our reference, and changes nothing. */
export function getPaymentByReferenceActivity(dependencies: ActivityDependencies) {
  return async function getPaymentByReference({ paymentId }: { paymentId: string }): Promise<PaymentLookup> {
    return (await findByReference(dependencies, await readPayment(dependencies.database, paymentId))).lookup;
  };
}

/**
 * Looks a payment up by the provider's id, and records only what was found; "not found" is a valid result. The id comes from
 * the database, not from the input: the absence of another payment would say nothing about this one.
 */
export function getPaymentByIdActivity({ database, provider }: ActivityDependencies) {
  return async function getPaymentById({
    paymentId,
  }: {
    paymentId: string;
    providerPaymentId: string;
  }): Promise<PaymentLookup> {
    const { account, attempt } = await readPayment(database, paymentId);
    const providerPaymentId = await readLookupId(database, paymentId);
    if (providerPaymentId === null) {
      throw ApplicationFailure.nonRetryable('the payment has no id with the provider', 'no_provider_id');
    }
    const askedAt = await beginReading(database);
    const sent = await callProvider((options) => provider(account).simplePayments.item(providerPaymentId, options));
    const isAbsent = sent instanceof ProviderFailure && sent.kind === 'refused' && sent.httpStatus === 404;
    if (sent instanceof ProviderFailure && !isAbsent) throw retryLater(sent);
    const answer = sent instanceof ProviderFailure ? [] : [sent.value];
    const lookup = lookupOf('by_id', answer, referenceIdOf(paymentId, attempt));
    await recordLookup(database, paymentId, lookup, askedAt);
    return lookup;
  };
}
