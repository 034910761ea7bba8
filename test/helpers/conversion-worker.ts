import { MockActivityEnvironment } from '@temporalio/testing';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { fundConversionActivity } from '../../activities/treasury/fund-conversion.ts';
import { judgeFundingActivity } from '../../activities/treasury/judge-funding.ts';
import { resolveConversionCreationActivity } from '../../activities/treasury/resolve-conversion-creation.ts';
import { readConversionActivity } from '../../activities/treasury/read-conversion.ts';
import { readOrderStageActivity } from '../../activities/treasury/read-order-stage.ts';
import { resolveConversionActivity } from '../../activities/treasury/resolve-conversion.ts';
import type { Mac } from '../../provider/mac.ts';
import type { TestDatabase } from './test-database.ts';

/** What the provider answers about conversions. */
export interface ProviderAnswers {
  item: () => unknown;
  /** Conversions under our reference. */
  ours: () => unknown[];
  /** The answer to a request to fund. */
  fund: () => unknown;
}

const DAY_MS = 86_400_000;
const TREASURY = {
  ...{ mayTakeEffectMs: 600_000, firstPauseMs: 1, maxPauseMs: 1 },
  ...{ creditAgeLimitMs: DAY_MS, completionAgeLimitMs: DAY_MS },
};
const MAC: Mac = { of: () => 's', matches: () => true };

/** The activities of a worker on this record, with what a provider answers that shows what no sandbox does. */
export function conversionWorker({ asWorker }: TestDatabase, answers: Partial<ProviderAnswers>) {
  const none = (): never => {
    throw new Error('the provider is not asked for that');
  };
  const { item = none, ours = none, fund = none } = answers;
  const conversions = {
    item: () => Promise.resolve().then(item),
    fund: () => Promise.resolve().then(fund),
    getByReference: () => Promise.resolve().then(() => ({ ours: ours(), others: 0 })),
  };
  const dependencies = {
    database: asWorker,
    provider: () => ({ conversions }),
    macOf: () => MAC,
    settings: { visibilityDelayMs: 0, requestTimeoutMs: 1_000, treasury: TREASURY },
    now: Date.now,
    monotonicNow: () => performance.now(),
  } as unknown as ActivityDependencies;
  const inTemporal =
    <Input, Output>(activity: (input: Input) => Promise<Output>) =>
    (input: Input): Promise<Output> =>
      new MockActivityEnvironment().run(activity, input);
  return {
    read: inTemporal(readConversionActivity(dependencies)),
    judge: inTemporal(judgeFundingActivity(dependencies)),
    resolveCreation: inTemporal(resolveConversionCreationActivity(dependencies)),
    resolve: inTemporal(resolveConversionActivity(dependencies)),
    fund: inTemporal(fundConversionActivity(dependencies)),
    stage: inTemporal(readOrderStageActivity(dependencies)),
  };
}
