/** Every workflow by the name under which it is registered: the entry of the bundle. */
export { confirmation } from './confirmation.ts';
export { payment } from './payment.ts';
export { paymentRun } from './payment-run.ts';
export { referenceData } from './reference-data.ts';
export { resolution } from './resolution.ts';
