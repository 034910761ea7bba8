/** The entry of the workflow bundle: every workflow under its registered name. */
export { conversion } from './conversion.ts';
export { conversionDryRun } from './conversion-dry-run.ts';
export { bookClose } from './book-close.ts';
export { dailyBooks } from './daily-books.ts';
export { paymentStatusPoller } from './payment-status-poller.ts';
export { moneyWatch } from './money-watch.ts';
export { delivery } from './delivery.ts';
export { onboarding } from './onboarding.ts';
export { casePoller } from './case-poller.ts';
export { payment } from './payment.ts';
export { paymentRun } from './payment-run.ts';
export { referenceData } from './reference-data.ts';
export { scheduleOccurrence } from './schedule-occurrence.ts';
export { manualOutcome } from './manual-outcome.ts';
