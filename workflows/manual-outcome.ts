import { setWorkflowOptions } from '@temporalio/workflow';
import type { ConfirmOutcome } from '../domain/payments/manual-outcome.ts';
import { mainActivities, providerActivities } from './activity-options.ts';
import type { ManualOutcomeInput } from './messages.ts';

/**
 * Applies the outcome of a payment that people have stated and confirmed. First the payment is looked up once more, by our reference and, if known, by
 * the provider's id. If the provider cannot be asked, the proposal stays open.
 */
export async function manualOutcome(input: ManualOutcomeInput): Promise<ConfirmOutcome> {
  const { paymentId, manualOutcomeId, providerPaymentId } = input;
  const provider = providerActivities(input.account, 'interactive');
  // The lookups are recorded, and the last step reads them from the database.
  await provider.getPaymentByReference({ paymentId });
  if (providerPaymentId !== null) await provider.getPaymentById({ paymentId, providerPaymentId });
  return mainActivities.concludeManualOutcome({ manualOutcomeId });
}

// It takes seconds, so it ends on the version that started it.
setWorkflowOptions({ versioningBehavior: 'PINNED' }, manualOutcome);
