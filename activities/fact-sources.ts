import type { FactSource } from '../store/accounts/fact-sources.ts';
import { depositFacts, fundingFacts, refundFacts } from '../store/accounts/receipt-facts.ts';
import { paymentFacts } from '../store/payments/payment-facts.ts';
import { conversionFacts } from '../store/treasury/conversion-facts.ts';

/** Whose records expect money to move: one source for each subject. Reconciliation compares the provider's history with them. */
export const FACT_SOURCES: readonly FactSource[] = [
  paymentFacts,
  conversionFacts,
  refundFacts,
  fundingFacts,
  depositFacts,
];
