import type { ChangeState } from '../../api/approvals/change.ts';
import type { GoingLive } from '../../domain/approvals/going-live.ts';
import { proposeChangeAs } from '../../store/approvals/changes.ts';
import { readGoingLive as readStored } from '../../store/users/going-live.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { asApplicationError } from '../as-application-error.ts';
import type { SignedIn } from '../users/signed-in.ts';

export async function readGoingLive({ database }: ApplicationDependencies): Promise<GoingLive> {
  const step = await readStored(database);
  return { ...step, since: step.since === null ? null : new Date(step.since).toISOString() };
}

/** Another administrator confirms it, which ends what anybody else could sign in by. */
export function goLive({ database }: ApplicationDependencies, user: SignedIn): Promise<ChangeState> {
  return asApplicationError(proposeChangeAs(database, user.tokenHash, { kind: 'go_live', userId: null, detail: {} }));
}
