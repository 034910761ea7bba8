export type { TreasuryApplication } from './use-cases.ts';
export type { OrderVerb } from './decide-orders.ts';
