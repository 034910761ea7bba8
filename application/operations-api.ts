export type { OperationsApplication } from './operation-use-cases.ts';
