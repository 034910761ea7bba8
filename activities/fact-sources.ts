import type { FactSource } from '../store/accounts/fact-sources.ts';
import { paymentFacts } from '../store/payments/payment-facts.ts';

/** Whose records expect money to move: one source for each subject. Reconciliation compares the provider's history with them. */
export const FACT_SOURCES: readonly FactSource[] = [paymentFacts];
