import { type Application, createApplication } from '../../application/create-application.ts';
import { TEST_CALENDARS } from './test-calendars.ts';
import { TEST_DATA_KEYS } from './test-data-keys.ts';
import type { PayrunUnderTest } from './payrun-under-test.ts';

/** The server of this payrun with hardly any time to decide on a run. */
export function hastyApplication(payrun: PayrunUnderTest): Application {
  return createApplication({
    database: payrun.testDatabase.asServer,
    temporal: payrun.temporal,
    dataKeys: TEST_DATA_KEYS,
    accounts: [{ name: 'default', requestsPerSecond: 0, requestsPerDay: 0, requestsReservedPerDay: 0 }],
    calendars: TEST_CALENDARS,
    now: Date.now,
    settings: {
      decisionWithinMs: 300,
      concurrencyLimitOf: () => 50,
      documentRequirements: [],
      unansweredSignUpMs: 0,
      referenceMaxAgeMs: 86_400_000,
      referenceTimeoutMs: 30_000,
    },
  });
}
