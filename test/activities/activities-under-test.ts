import { asyncLocalStorage, type Context } from '@temporalio/activity';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { KNOWN_EXTRA_STATUSES, stateByStatus } from '../../domain/payments/provider-status.ts';
import type { CallOptions } from '../../provider/calls/api-call.ts';
import type { ProviderClient } from '../../provider/client.ts';
import type { Mac } from '../../provider/mac.ts';
import { defaultAccount } from '../../sandbox/config/accounts.ts';
import { type RunningSandbox, startSandbox } from '../../sandbox/server.ts';
import { openProviderAccounts } from '../../workers/provider-accounts.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { TEST_DATA_KEYS } from '../helpers/test-data-keys.ts';
import { ACCOUNT } from '../store/a-stored-run.ts';

/** Single activities as a worker runs them, with its database login and a sandbox, but without workflows. */
export interface ActivitiesUnderTest {
  testDatabase: TestDatabase;
  dependencies: ActivityDependencies;
  mac: Mac;
  /** How many requests of this kind the provider has seen. */
  sent(operation: string): number;
  /** The same dependencies, with an action that runs between the intent of a request and its sending. */
  withActionBeforeSend(action: () => Promise<unknown>): ActivityDependencies;
  sandbox: RunningSandbox;
  stop(): Promise<void>;
}

export async function startActivities(): Promise<ActivitiesUnderTest> {
  const testDatabase = await createTestDatabase();
  const sandbox = await startSandbox({ limitPerSecond: 0 });
  const providers = await openProviderAccounts({
    database: testDatabase.asWorker,
    accounts: [accountAt(sandbox)],
    requestTimeoutMs: 2_000,
    now: Date.now,
    warn: () => undefined,
  });
  const mac = providers.macOf(ACCOUNT);
  // Activities that send requests neither start workflows nor read the other settings.
  const dependencies = {
    database: testDatabase.asWorker,
    provider: (account: string) => providers.of(account),
    macOf: () => mac,
    dataKeys: TEST_DATA_KEYS,
    now: Date.now,
    monotonicNow: () => performance.now(),
    settings: { visibilityDelayMs: 0, stateOf: stateByStatus(KNOWN_EXTRA_STATUSES) },
  } as unknown as ActivityDependencies;
  return {
    testDatabase,
    dependencies,
    mac,
    sent: (operation) => {
      const { byOperation } = sandbox.ledger().requests as { byOperation: Record<string, number> };
      return byOperation[operation] ?? 0;
    },
    withActionBeforeSend: (action) => ({
      ...dependencies,
      provider: (account) => withActionBeforeSend(providers.of(account), action),
    }),
    sandbox,
    stop: async () => {
      await providers.close();
      await sandbox.close();
      await testDatabase.drop();
    },
  };
}

function accountAt(sandbox: RunningSandbox) {
  const { apiKey, accessKeyId, secretAccessKey } = defaultAccount;
  return {
    name: ACCOUNT,
    apiUrl: sandbox.url,
    credentials: { apiKey, accessKeyId, secretAccessKey },
    requestsPerSecond: 0,
    requestsPerDay: 0,
    requestsReservedPerDay: 0,
  };
}

/** Runs an activity in a context that is not cancelled. */
export function asActivity<T>(activity: () => Promise<T>): Promise<T> {
  const context: Partial<Context> = { cancellationSignal: new AbortController().signal };
  return asyncLocalStorage.run(context as Context, activity);
}

type Call = (request: unknown, options: CallOptions) => Promise<unknown>;

function withActionBeforeSend(client: ProviderClient, action: () => Promise<unknown>): ProviderClient {
  const wrap =
    (call: Call): Call =>
    (request, options) =>
      call(request, {
        ...options,
        beforeSend: async () => {
          await action();
          await options.beforeSend?.();
        },
      });
  const wrapAll = (calls: object): object =>
    Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, wrap(call as Call)]));
  const { simplePayments, beneficiaries } = client;
  return {
    ...client,
    simplePayments: wrapAll(simplePayments),
    beneficiaries: wrapAll(beneficiaries),
  } as ProviderClient;
}
