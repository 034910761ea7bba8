import * as stored from '../../store/beneficiaries/beneficiary-accounts.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';

/** Erases lines of the book that the retention rules keep no longer. Returns how many. */
export function eraseUnusedBeneficiaries({ database }: Pick<ApplicationDependencies, 'database'>): Promise<number> {
  return stored.eraseUnusedBeneficiaries(database);
}
