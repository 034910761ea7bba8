import { readBalancesActivity } from '../../activities/payments/read-balances.ts';
import { readHistoryActivity } from '../../activities/accounts/read-history.ts';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { checkCreditActivity } from '../../activities/treasury/check-credit.ts';
import { createConversionActivity } from '../../activities/treasury/create-conversion.ts';
import { fundConversionActivity } from '../../activities/treasury/fund-conversion.ts';
import { judgeFundingActivity, planEvidenceActivity } from '../../activities/treasury/judge-funding.ts';
import { expireOrderActivity, openOrderActivity } from '../../activities/treasury/open-order.ts';
import { quoteConversionActivity } from '../../activities/treasury/quote-conversion.ts';
import { readConversionActivity } from '../../activities/treasury/read-conversion.ts';
import { type OrderPlan, readOrderStageActivity } from '../../activities/treasury/read-order-stage.ts';
import { readRateActivity } from '../../activities/treasury/read-rate.ts';
import { resolveConversionCreationActivity } from '../../activities/treasury/resolve-conversion-creation.ts';
import { resolveConversionActivity } from '../../activities/treasury/resolve-conversion.ts';
import { tryActivity } from './payment-workflow.ts';

/**
 * One look of the workflow of an order as `workflows/conversion.ts` has it: it has no state of its own, so one that is lost and begun
 * again does the same. An activity that fails is tried again when it looks the next time.
 */
export async function lookAtOrder(
  dependencies: ActivityDependencies,
  { orderId, account }: { orderId: string; account: string },
): Promise<OrderPlan> {
  const plan = await readOrderStageActivity(dependencies)({ orderId });
  if (!plan.hasEnded) await tryActivity<unknown>(() => perform(dependencies, { orderId, account }, plan));
  return plan;
}

type Of = { orderId: string; account: string };

async function perform(dependencies: ActivityDependencies, of: Of, plan: OrderPlan): Promise<void> {
  const { orderId } = of;
  switch (plan.step) {
    case 'open':
      await openOrderActivity(dependencies)({ orderId });
      return;
    case 'expire':
      await expireOrderActivity(dependencies)({ orderId });
      return;
    case 'quote':
      await readMoney(dependencies, of);
      await tryActivity(() => readRateActivity(dependencies)({ orderId }));
      await quoteConversionActivity(dependencies)({ orderId });
      return;
    case 'create':
      await createConversionActivity(dependencies)({ orderId });
      return;
    case 'resolve_creation':
      await resolveConversionCreationActivity(dependencies)({ orderId });
      return;
    case 'fund':
      await fundConversionActivity(dependencies)({ orderId });
      return;
    case 'find_out_funding':
      await findOutFunding(dependencies, of);
      return;
    case 'read':
      await readConversionActivity(dependencies)({ orderId });
      return;
    case 'check_credit':
      if ((await checkCreditActivity(dependencies)({ orderId })).state === 'settled') return;
      await readHistoryActivity(dependencies)({ account: of.account, of: 'news' });
      await checkCreditActivity(dependencies)({ orderId });
      return;
    case 'resolve':
      await readEvidence(dependencies, of);
      await resolveConversionActivity(dependencies)({ manualOutcomeId: plan.manualOutcomeId ?? '' });
      return;
    case 'wait':
  }
}

/** What was proved just now counts for some minutes only, so that the request to fund follows at once. */
async function findOutFunding(dependencies: ActivityDependencies, of: Of): Promise<void> {
  await readEvidence(dependencies, of);
  const { isToBeFunded } = await judgeFundingActivity(dependencies)({ orderId: of.orderId });
  if (isToBeFunded) await lookAtOrder(dependencies, of);
}

/** The history from before the first request, then the balance, then the conversion. */
async function readEvidence(dependencies: ActivityDependencies, { orderId, account }: Of): Promise<void> {
  const { sinceMs } = await planEvidenceActivity(dependencies)({ orderId });
  if (sinceMs === null) return;
  await readMoney(dependencies, { account }, sinceMs);
  await tryActivity(() => readConversionActivity(dependencies)({ orderId }));
}

export async function readMoney(
  dependencies: ActivityDependencies,
  { account }: Pick<Of, 'account'>,
  sinceMs?: number,
): Promise<void> {
  const since = sinceMs === undefined ? {} : { sinceMs };
  await tryActivity(() => readHistoryActivity(dependencies)({ account, of: 'news', ...since }));
  await tryActivity(() => readBalancesActivity(dependencies)({ account }));
}
