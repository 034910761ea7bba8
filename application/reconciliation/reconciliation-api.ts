export type { ReconciliationApplication } from './use-cases.ts';
