import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { HISTORY_SETTINGS } from '../../domain/accounts/history-schedule.ts';
import { NO_APPROVALS, setConversionPolicy } from './conversions-under-test.ts';
import type { HardConversions } from './hard-conversions.ts';
import { startPayrun } from './payrun-under-test.ts';
import { clearFaults } from './sandbox-control.ts';
import { aUser } from './users.ts';

/** Has the tests of this file convert at a provider that debits every call, whose history is read often. */
export function convertAtChargingProvider(): () => HardConversions {
  let started: HardConversions;
  beforeAll(async () => {
    // Several currencies are to be followed.
    const history = { ...HISTORY_SETTINGS, waitingEveryMs: 1_000, quietMs: 200 };
    const payrun = await startPayrun({ sandbox: { secondFunding: 'charge' }, settings: { history } });
    started = { payrun, treasurer: await aUser(payrun.testDatabase, 'Tessa Treasurer', 'treasurer') };
  });
  beforeEach(() => setConversionPolicy(started.payrun, NO_APPROVALS));
  afterEach(() => clearFaults(started.payrun.sandbox));
  afterAll(() => started.payrun.stop());
  return () => started;
}

/** Two people have the order resolved. */
export async function resolveOrder(
  { payrun, treasurer }: HardConversions,
  orderId: string,
  outcome: 'fund_again' | 'funded' | 'lapsed',
): Promise<void> {
  const { application, checker } = payrun;
  const { resolutions } = await application.proposeOrderResolution(treasurer, orderId, { outcome, reason: 'x' });
  const resolutionId = resolutions.at(-1)?.resolutionId ?? '';
  await application.confirmOrderResolution(checker, orderId, { resolutionId });
}
