import type { DoneOrChange } from '../../api/approvals/change.ts';
import { eraseRunAs } from '../../store/runs/erasure.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { asApplicationError } from '../as-application-error.ts';
import type { SignedIn } from '../users/signed-in.ts';

/** Proposes to destroy what a run has of its payees: a second administrator confirms it. */
export function eraseRun({ database }: ApplicationDependencies, user: SignedIn, runId: string): Promise<DoneOrChange> {
  return asApplicationError(eraseRunAs(database, user.tokenHash, runId));
}
