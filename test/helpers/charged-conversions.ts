import { HISTORY_SETTINGS } from '../../domain/accounts/history-schedule.ts';
import { convertAt, type HardConversions } from './hard-conversions.ts';

/** Has the tests of this file convert several currencies at a provider that debits every call, whose history is read often. */
export const convertAtChargingProvider = () =>
  convertAt({
    sandbox: { secondFunding: 'charge' },
    settings: { history: { ...HISTORY_SETTINGS, waitingEveryMs: 1_000, quietMs: 200 } },
  });

/** Two people have the order resolved. */
export async function resolveOrder(
  { payrun, treasurer }: HardConversions,
  orderId: string,
  outcome: 'fund_again' | 'funded' | 'lapsed',
): Promise<void> {
  const { application, checker } = payrun;
  const { manualOutcomes } = await application.proposeOrderManualOutcome(treasurer, orderId, { outcome, reason: 'x' });
  const manualOutcomeId = manualOutcomes.at(-1)?.manualOutcomeId ?? '';
  await application.confirmOrderManualOutcome(checker, orderId, { manualOutcomeId });
}
