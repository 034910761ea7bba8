export type { AccountsApplication } from './use-cases.ts';
