import { listPayableRows } from '../store/run-planning.ts';
import type { ActivityDependencies } from './dependencies.ts';

/** A row to be paid, as its workflow needs it: no payee, no amount. */
export interface PayableRow {
  paymentId: string;
  rowNumber: number;
  rowHash: string;
  sellCurrency: string;
  buyCurrency: string;
  newBeneficiary: boolean;
  files: number;
}

/** The next rows that are ready, in the order of the file. */
export function listPayableActivity({ database }: ActivityDependencies) {
  return async function listPayable(page: { runId: string; afterRow: number; limit: number }): Promise<PayableRow[]> {
    return listPayableRows(database, page);
  };
}
