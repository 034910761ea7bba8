/** The entry of the workflow bundle: every workflow under its registered name. */
export { conversion } from './conversion.ts';
export { conversionTrial } from './conversion-trial.ts';
export { bookClose } from './book-close.ts';
export { dailyBooks } from './daily-books.ts';
export { confirmation } from './confirmation.ts';
export { moneyWatch } from './money-watch.ts';
export { delivery } from './delivery.ts';
export { onboarding } from './onboarding.ts';
export { onboardingSweep } from './onboarding-sweep.ts';
export { payment } from './payment.ts';
export { paymentRun } from './payment-run.ts';
export { referenceData } from './reference-data.ts';
export { scheduleOccurrence } from './schedule-occurrence.ts';
export { resolution } from './resolution.ts';
