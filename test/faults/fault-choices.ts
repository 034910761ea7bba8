import { defaultOptions } from '../../sandbox/config/options.ts';
import { type FaultKind, faultKinds, appliesTo } from '../../sandbox/faults/fault-kinds.ts';

/** Every kind of fault of the sandbox, so that a kind added there is tested here as well. */
export const REQUEST_KINDS = faultKinds.filter(({ target }) => target === 'request').map(({ kind }) => kind);
export const WEBHOOK_KINDS = faultKinds.filter(({ target }) => target === 'webhook').map(({ kind }) => kind);

/** The requests that paying a row may need, in their order. */
export const STEPS = [
  'auth-authenticate',
  'beneficiary-create',
  'beneficiary-find',
  'simple-payment-get-upload-url',
  'simple-payment-upload-file',
  'simple-payment-quote',
  'simple-payment-create',
  'simple-payment-find',
  'simple-payment-fund',
  'simple-payment-get',
] as const;

/** The requests that every usual row needs, so that a trigger on one of them is reached. */
export const USUAL_STEPS = [
  'beneficiary-create',
  'simple-payment-quote',
  'simple-payment-create',
  'simple-payment-fund',
] as const;

/** Whether the sandbox accepts this kind of fault for the operation. */
export const canAffect = (kind: FaultKind, operation: string): boolean =>
  appliesTo(kind, operation, defaultOptions.openOperations);
