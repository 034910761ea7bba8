import type { ConfirmOutcome } from '../activities/payments/conclude-resolution.ts';
import { engineActivities, providerActivities } from './activity-options.ts';
import type { ResolutionInput } from './messages.ts';

/**
 * The confirmation of a proposed resolution: the provider is asked once more, by our reference and by its own id where
 * one is known, and only then may two people's word count. A provider that cannot be asked leaves the proposal open.
 */
export async function resolution(input: ResolutionInput): Promise<ConfirmOutcome> {
  const { paymentId, resolutionId, providerPaymentId } = input;
  const asking = providerActivities(input.account, 'ask');
  // What they see is written down, and looked for there.
  await asking.lookUpByReference({ paymentId });
  if (providerPaymentId !== null) await asking.lookUpById({ paymentId, providerPaymentId });
  return engineActivities.concludeResolution({ resolutionId });
}
