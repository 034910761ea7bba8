import {
  allHandlersFinished,
  condition,
  continueAsNew,
  setCurrentDetails,
  setHandler,
  setWorkflowOptions,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { historyActivities, mainActivities } from './activity-options.ts';
import { rethrowCancellation } from './cancellation.ts';
import { historyRequested, type MoneyWatchInput, pollRequested, webhookReceived } from './messages.ts';

type Plan = Awaited<ReturnType<typeof mainActivities.planMoneyWatch>>;

/** However many webhooks arrive, the watch wakes at most once in this time. */
const MIN_PAUSE = '1 second';

/**
 * The watch of one account's money: reads the history of its balances soon after a webhook about money, often while somebody
 * waits for money, and rarely else; and what explains money that came in. It ends when nothing is under way, no money may
 * come, and nobody looks at the history; a run or a webhook starts it again.
 */
export async function moneyWatch(input: MoneyWatchInput): Promise<void> {
  const { account } = input;
  let { lastTryAtMs, lastRequestedAtMs } = input;
  let lastGapTryAtMs: number | undefined;
  let gapFailures = 0;
  let isWoken = false;
  for (const signal of [webhookReceived, pollRequested]) {
    setHandler(signal, () => {
      isWoken = true;
    });
  }
  setHandler(historyRequested, () => {
    isWoken = true;
    lastRequestedAtMs = Date.now();
  });
  const wasWoken = (): boolean => isWoken;

  for (;;) {
    isWoken = false;
    const tries = { sinceTryMs: since(lastTryAtMs), sinceGapTryMs: since(lastGapTryAtMs), gapFailures };
    const plan = await mainActivities.planMoneyWatch({ account, ...tries, sinceRequestedMs: since(lastRequestedAtMs) });
    if (plan.receipts !== null) await readReceipts(account, plan.receipts, plan.isWaitedFor);
    if (plan.virtualAccount !== null) await moveVirtualAccount(account, plan.virtualAccount);
    if (plan.history !== null) {
      setCurrentDetails('Reads the history of the balances.');
      if (plan.history === 'gap') lastGapTryAtMs = Date.now();
      else lastTryAtMs = Date.now();
      const isRead = await readHistory(account, plan.history, plan.isWaitedFor);
      if (plan.history === 'gap') gapFailures = isRead ? 0 : gapFailures + 1;
      if (plan.awaitingFunds > 0) await mainActivities.notifyFundsArrived({ account, source: 'ledger' });
      if (plan.readBalances) {
        await historyActivities(account, 'waitedFor').readBalances({ account }).catch(rethrowCancellation);
      }
    } else if (plan.receipts === null && plan.virtualAccount === null) {
      // A signal that arrived meanwhile keeps the workflow open: the server rejects its completion.
      if (plan.isFinished && !wasWoken()) return;
      setCurrentDetails('Waits for news of the money.');
      await condition(wasWoken, Math.max(plan.waitMs, 1));
    }
    await sleep(MIN_PAUSE);
    if (workflowInfo().continueAsNewSuggested) {
      await condition(allHandlersFinished);
      await continueAsNew<typeof moneyWatch>({
        account,
        ...(lastTryAtMs === undefined ? {} : { lastTryAtMs }),
        ...(lastRequestedAtMs === undefined ? {} : { lastRequestedAtMs }),
      });
    }
  }
}

setWorkflowOptions({ versioningBehavior: 'AUTO_UPGRADE' }, moneyWatch);

/** A read that fails is repeated later, as planned. */
async function readHistory(account: string, of: 'news' | 'gap', isWaitedFor: boolean): Promise<boolean> {
  try {
    await historyActivities(account, isWaitedFor ? 'waitedFor' : 'last').readHistory({ account, of });
    return true;
  } catch (error) {
    rethrowCancellation(error);
    return false;
  }
}

/** As a read of the history. */
async function readReceipts(account: string, read: NonNullable<Plan['receipts']>, isWaitedFor: boolean): Promise<void> {
  setCurrentDetails('Asks the provider what explains money that came in.');
  await historyActivities(account, isWaitedFor ? 'waitedFor' : 'last')
    .readReceipts({ account, read })
    .catch(rethrowCancellation);
}

async function moveVirtualAccount(
  account: string,
  { toSend, toRead }: NonNullable<Plan['virtualAccount']>,
): Promise<void> {
  setCurrentDetails('Asks the provider about virtual accounts.');
  const activities = historyActivities(account, 'waitedFor');
  if (toSend !== null) {
    await activities.requestVirtualAccount({ virtualAccountId: toSend }).catch(rethrowCancellation);
  }
  if (toRead !== null) await activities.readVirtualAccount({ account, requestId: toRead }).catch(rethrowCancellation);
}

function since(timeMs: number | undefined): number | null {
  return timeMs === undefined ? null : Math.max(0, Date.now() - timeMs);
}
