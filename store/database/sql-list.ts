import type { VirtualAccountState } from '../../domain/accounts/virtual-account-state.ts';
import type { FundingStatus } from '../../domain/accounts/funding-status.ts';
import type { MoneyWebhookKind } from '../../domain/accounts/money-webhooks.ts';
import type { DeliveryState } from '../../domain/notifications/delivery-state.ts';
import type { CaseState } from '../../domain/onboarding/case-state.ts';
import type { ConversionState } from '../../domain/treasury/conversion-state.ts';
import type { PaymentState } from '../../domain/payments/payment-state.ts';
import type { AnswerKind, RequestOutcome } from '../../domain/payments/request-result.ts';
import type { BreakState } from '../../domain/reconciliation/break-state.ts';
import type { RunState } from '../../domain/runs/run-state.ts';

/**
 * States, or kinds, as a list of SQL literals: `'ready', 'quoted'`. As literals and not as a parameter, so that the planner can use
 * the partial indexes.
 */
export function sqlList(
  states: readonly (
    | PaymentState
    | RunState
    | CaseState
    | ConversionState
    | VirtualAccountState
    | AnswerKind
    | RequestOutcome
    | BreakState
    | FundingStatus
    | MoneyWebhookKind
    | DeliveryState
  )[],
): string {
  return states.map((state) => `'${state}'`).join(', ');
}
