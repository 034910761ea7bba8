import { type HistoryPlan, type HistorySettings, historySchedule } from '../../domain/accounts/history-schedule.ts';
import { type ReceiptRead, receiptSchedule } from '../../domain/accounts/receipt-schedule.ts';
import { readReceiptNeeds } from '../../store/accounts/receipt-needs.ts';
import { recordReturn, settleReceipts } from '../../store/accounts/receipts.ts';
import { nextVirtualAccountStep } from '../../store/accounts/virtual-accounts.ts';
import { readHistoryNeeds } from '../../store/accounts/history-needs.ts';
import { readBalances } from '../../store/payments/balance-snapshots.ts';
import type { Queryable } from '../../store/database/database.ts';
import type { ActivityDependencies } from '../dependencies.ts';

export interface MoneyWatchPlan extends HistoryPlan {
  /** Whether somebody waits for what the read shows, or may soon: the ledger decides only while the history is read. */
  isWaitedFor: boolean;
  /** Whether somebody looks at the balances, and they are old. */
  readBalances: boolean;
  /** Payments that wait for money. */
  waiting: number;
  /** What else to ask the provider now. Histories of earlier versions do not have it. */
  ask?: ReceiptRead;
  /** A virtual account to ask for, and a request for one to read. */
  virtualAccount?: { toSend: string | null; toRead: string | null };
}

/** Decides, from the record, what to read of an account's money now: the history of the balances, or what explains it. */
export function planMoneyWatchActivity({ database, provider, settings }: ActivityDependencies) {
  return async function planMoneyWatch(input: {
    account: string;
    /** Since the last attempt to read news; null: there was none. */
    sinceTryMs: number | null;
    /** Since the last attempt to read a gap; null: there was none. */
    sinceGapTryMs?: number | null;
    /** How often in a row that has failed. */
    gapFailures?: number;
    /** Since somebody asked for the history; null: nobody did. */
    sinceAskedMs: number | null;
  }): Promise<MoneyWatchPlan> {
    const { account, sinceTryMs, sinceGapTryMs = null, gapFailures = 0, sinceAskedMs } = input;
    for (const returned of await settleReceipts(database, account)) await recordReturn(database, returned);
    const needs = await readHistoryNeeds(database, account, sinceTryMs, sinceGapTryMs);
    const receiptNeeds = await readReceiptNeeds(database, account, settings.receipts.returnsWithinMs);
    const { mayCome } = receiptNeeds;
    const plan = historySchedule({ ...needs, gapFailures, sinceAskedMs, mayCome }, settings.history);
    const receipts = receiptSchedule(receiptNeeds, settings.receipts);
    const isAsked = sinceAskedMs !== null && sinceAskedMs < settings.history.keepMs;
    const isWaitedFor = needs.waiting > 0 || needs.mayWait || isAsked;
    const readBalances = isAsked && plan.read !== null && (await isOld(database, account, settings.history));
    const step = await nextVirtualAccountStep(database, account, {
      canRead: provider(account).virtualAccounts.canRead,
      readEveryMs: settings.receipts.virtualAccountEveryMs,
    });
    const virtualWaitMs = step.isWaiting ? settings.receipts.virtualAccountEveryMs : Infinity;
    return {
      read: plan.read,
      waitMs: Math.min(plan.waitMs, receipts.waitMs, virtualWaitMs),
      isFinished: plan.isFinished && receipts.waitMs === Infinity && !step.isWaiting,
      ...(step.toSend === null && step.toRead === null ? {} : { virtualAccount: step }),
      ...{ isWaitedFor, readBalances, waiting: needs.waiting },
      ...(receipts.read === null ? {} : { ask: receipts.read }),
    };
  };
}

async function isOld(database: Queryable, account: string, settings: HistorySettings): Promise<boolean> {
  const snapshots = await readBalances(database, account);
  return snapshots.every(({ ageMs }) => ageMs > settings.waitingEveryMs);
}
