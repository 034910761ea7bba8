import { type HistoryPlan, type HistorySettings, historySchedule } from '../../domain/accounts/history-schedule.ts';
import { type ReceiptRead, receiptSchedule } from '../../domain/accounts/receipt-schedule.ts';
import { readReceiptNeeds } from '../../store/accounts/receipt-needs.ts';
import { recordReturn, explainReceipts } from '../../store/accounts/receipts.ts';
import { nextVirtualAccountStep } from '../../store/accounts/virtual-accounts.ts';
import { readHistoryNeeds } from '../../store/accounts/history-needs.ts';
import { readBalances } from '../../store/payments/balance-snapshots.ts';
import type { Queryable } from '../../store/database/database.ts';
import type { ActivityDependencies } from '../dependencies.ts';

export interface MoneyWatchPlan {
  /** Which part of the history of the balances to read now; null: none. */
  history: HistoryPlan['read'];
  /** When to plan again if no signal arrives. */
  waitMs: number;
  /** Nothing is under way, no money may come, and nobody looks at the history. */
  isFinished: boolean;
  /** Whether somebody waits for what the read shows, or may soon: the ledger decides only while the history is read. */
  isWaitedFor: boolean;
  /** Whether somebody looks at the balances, and they are old. */
  readBalances: boolean;
  /** Payments that wait for money. */
  awaitingFunds: number;
  /** What to read now that explains money which came in; null: nothing. */
  receipts: ReceiptRead | null;
  /** A virtual account to ask for, and a request for one to read; null: neither. */
  virtualAccount: { toSend: string | null; toRead: string | null } | null;
}

/** Decides, from the database, what to read of an account's money now: the history of the balances, or what explains it. */
export function planMoneyWatchActivity({ database, provider, settings }: ActivityDependencies) {
  return async function planMoneyWatch(input: {
    account: string;
    /** Since the last attempt to read news; null: there was none. */
    sinceTryMs: number | null;
    /** Since the last attempt to read a gap; null: there was none. */
    sinceGapTryMs: number | null;
    /** How often in a row that has failed. */
    gapFailures: number;
    /** Since somebody requested the history; null: nobody did. */
    sinceRequestedMs: number | null;
  }): Promise<MoneyWatchPlan> {
    const { account, sinceTryMs, sinceGapTryMs, gapFailures, sinceRequestedMs } = input;
    for (const returned of await explainReceipts(database, account)) await recordReturn(database, returned);
    const needs = await readHistoryNeeds(database, account, sinceTryMs, sinceGapTryMs);
    const receiptNeeds = await readReceiptNeeds(database, account, settings.receipts.returnsWithinMs);
    const { mayCome } = receiptNeeds;
    const plan = historySchedule({ ...needs, gapFailures, sinceRequestedMs, mayCome }, settings.history);
    const receipts = receiptSchedule(receiptNeeds, settings.receipts);
    const isRequested = sinceRequestedMs !== null && sinceRequestedMs < settings.history.keepMs;
    const isWaitedFor = needs.waiting > 0 || needs.mayWait || isRequested;
    const readBalances = isRequested && plan.read !== null && (await isOld(database, account, settings.history));
    const step = await nextVirtualAccountStep(database, account, {
      canRead: provider(account).virtualAccounts.canRead,
      readEveryMs: settings.receipts.virtualAccountEveryMs,
    });
    const virtualWaitMs = step.isWaiting ? settings.receipts.virtualAccountEveryMs : Infinity;
    return {
      history: plan.read,
      waitMs: Math.min(plan.waitMs, receipts.waitMs, virtualWaitMs),
      isFinished: plan.isFinished && receipts.waitMs === Infinity && !step.isWaiting,
      ...{ isWaitedFor, readBalances, awaitingFunds: needs.waiting },
      receipts: receipts.read,
      virtualAccount:
        step.toSend === null && step.toRead === null ? null : { toSend: step.toSend, toRead: step.toRead },
    };
  };
}

async function isOld(database: Queryable, account: string, settings: HistorySettings): Promise<boolean> {
  const snapshots = await readBalances(database, account);
  return snapshots.every(({ ageMs }) => ageMs > settings.waitingEveryMs);
}
