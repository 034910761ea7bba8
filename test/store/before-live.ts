import { randomUUID } from 'node:crypto';
import { requestVirtualAccountAs } from '../../store/accounts/virtual-account-decisions.ts';
import { aSchedule, SWEEP } from '../domain/treasury-schedules.ts';
import type { TestDatabase } from '../helpers/test-database.ts';
import { aUser } from '../helpers/users.ts';
import { aProposedSchedule, confirmVersion } from './a-schedule.ts';
import { ACCOUNT } from './a-stored-run.ts';

/** A schedule that Tina has proposed, to be confirmed by Chris. */
export async function aScheduleToConfirm(testDatabase: TestDatabase): Promise<() => Promise<unknown>> {
  const tina = await aUser(testDatabase, 'Tina', 'treasurer');
  const chris = await aUser(testDatabase, 'Chris', 'checker');
  const schedule = aSchedule(SWEEP, { name: 'Sweep' });
  const scheduleId = await aProposedSchedule(testDatabase, tina, schedule);
  return () => confirmVersion(testDatabase, chris, { scheduleId, version: 1, schedule });
}

/** Whoever asks for it is there already. */
export async function aVirtualAccountToAskFor(testDatabase: TestDatabase): Promise<() => Promise<unknown>> {
  const tina = await aUser(testDatabase, 'Tina', 'treasurer');
  return () =>
    requestVirtualAccountAs(testDatabase.asServer, tina.tokenHash, ACCOUNT, {
      ...{ virtualAccountId: randomUUID(), name: 'Sales', tag: 'PRTAG1', provider: 'code 1', currency: 'USD' },
      ...{ description: 'x', type: 'open', amount: null, expiryDuration: null, approveAsync: true },
    });
}
