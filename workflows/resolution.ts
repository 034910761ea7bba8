import type { ConfirmOutcome } from '../domain/payments/resolution.ts';
import { mainActivities, providerActivities } from './activity-options.ts';
import type { ResolutionInput } from './messages.ts';

/**
 * Applies the confirmed resolution of a payment. First the payment is looked up once more, by our reference and, if known, by
 * the provider's id. If the provider cannot be asked, the proposal stays open.
 */
export async function resolution(input: ResolutionInput): Promise<ConfirmOutcome> {
  const { paymentId, resolutionId, providerPaymentId } = input;
  const provider = providerActivities(input.account, 'interactive');
  // The look-ups are recorded, and the last step reads them from the record.
  await provider.lookUpByReference({ paymentId });
  if (providerPaymentId !== null) await provider.lookUpById({ paymentId, providerPaymentId });
  return mainActivities.concludeResolution({ resolutionId });
}
