import type { LookUp } from '../domain/look-up.ts';
import { referenceIdOf } from '../domain/payment-identity.ts';
import { ProviderFailure } from '../provider/failure.ts';
import type { SimplePayment } from '../provider/simple-payment-fields.ts';
import { keepLookUp } from '../store/look-ups.ts';
import { readPayment } from '../store/payments.ts';
import { callProvider, callRepeatable, retryLater } from './call-provider.ts';
import type { ActivityDependencies } from './dependencies.ts';

/** What an answer shows of the payment under a reference. */
export function lookUpOf(asked: LookUp['asked'], answer: readonly SimplePayment[], referenceId: string): LookUp {
  const ours = answer.filter((candidate) => candidate.referenceId === referenceId);
  return {
    asked,
    payments: ours.map(({ simplePaymentId, status }) => ({ providerPaymentId: simplePaymentId, status })),
    onlyOthers: ours.length === 0 && answer.length > 0,
  };
}

/** Asks the provider for the payment under our reference, and moves nothing. Contract: payments 4.4. */
export function lookUpByReferenceActivity({ database, provider }: ActivityDependencies) {
  return async function lookUpByReference({ paymentId }: { paymentId: string }): Promise<LookUp> {
    const { account, attempt } = await readPayment(database, paymentId);
    const referenceId = referenceIdOf(paymentId, attempt);
    const { value } = await callRepeatable((options) =>
      provider(account).simplePayments.find({ referenceId }, options),
    );
    const lookUp = lookUpOf('find', value, referenceId);
    await keepLookUp(database, paymentId, lookUp);
    return lookUp;
  };
}

/** Asks the provider for one of its payments by its id, and moves nothing. Not found is an answer, too. */
export function lookUpByIdActivity({ database, provider }: ActivityDependencies) {
  return async function lookUpById(asked: { paymentId: string; providerPaymentId: string }): Promise<LookUp> {
    const { account, attempt } = await readPayment(database, asked.paymentId);
    const sent = await callProvider((options) =>
      provider(account).simplePayments.item(asked.providerPaymentId, options),
    );
    const isAbsent = sent instanceof ProviderFailure && sent.kind === 'refused' && sent.httpStatus === 404;
    if (sent instanceof ProviderFailure && !isAbsent) throw retryLater(sent);
    const answer = sent instanceof ProviderFailure ? [] : [sent.value];
    const lookUp = lookUpOf('read', answer, referenceIdOf(asked.paymentId, attempt));
    await keepLookUp(database, asked.paymentId, lookUp);
    return lookUp;
  };
}
