import type { OnboardingHold } from '../../api/onboarding/onboarding-hold.ts';
import { listOnboardingHolds } from '../../store/onboarding/onboarding-holds.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { iso } from '../iso-time.ts';

/** What keeps payrun from sending anything of the cases of these accounts. */
export async function findHolds(
  { database, settings }: Pick<ApplicationDependencies, 'database' | 'settings'>,
  accounts: readonly string[],
): Promise<OnboardingHold[]> {
  const holds = await listOnboardingHolds(database, accounts, settings.unansweredSignUpMs);
  return holds.map(({ since, until, ...hold }) => ({ ...hold, since: since.toISOString(), until: iso(until) }));
}
