import { defaultOptions } from '../../sandbox/config/defaults.ts';
import { type FaultKind, faultKinds, goesWith } from '../../sandbox/faults/fault-kinds.ts';

/** Every kind of fault that the sandbox knows, by what it strikes: kinds that are added there are tried here as well. */
export const REQUEST_KINDS = faultKinds.filter(({ strikes }) => strikes === 'request').map(({ kind }) => kind);
export const WEBHOOK_KINDS = faultKinds.filter(({ strikes }) => strikes === 'webhook').map(({ kind }) => kind);

/** The requests that paying a row may take, in their order. */
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

/** Those of them that every row of the usual kind takes, so that a moment in terms of them comes. */
export const USUAL_STEPS = [
  'beneficiary-create',
  'simple-payment-quote',
  'simple-payment-create',
  'simple-payment-fund',
] as const;

/** Whether a kind can strike an operation at all. */
export const canStrike = (kind: FaultKind, operation: string): boolean =>
  goesWith(kind, operation, defaultOptions.openOperations);
