import { type HistoryPlan, type HistorySettings, historySchedule } from '../../domain/accounts/history-schedule.ts';
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
}

/** Decides, from the record, whether to read the history of the balances now. */
export function planMoneyWatchActivity({ database, settings }: ActivityDependencies) {
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
    const needs = await readHistoryNeeds(database, account, sinceTryMs, sinceGapTryMs);
    const plan = historySchedule({ ...needs, gapFailures, sinceAskedMs }, settings.history);
    const isAsked = sinceAskedMs !== null && sinceAskedMs < settings.history.keepMs;
    const isWaitedFor = needs.waiting > 0 || needs.mayWait || isAsked;
    const readBalances = isAsked && plan.read !== null && (await isOld(database, account, settings.history));
    return { ...plan, isWaitedFor, readBalances, waiting: needs.waiting };
  };
}

async function isOld(database: Queryable, account: string, settings: HistorySettings): Promise<boolean> {
  const snapshots = await readBalances(database, account);
  return snapshots.every(({ ageMs }) => ageMs > settings.waitingEveryMs);
}
