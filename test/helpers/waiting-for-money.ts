import { type PayrunOptions, type PayrunUnderTest, startPayrun } from './payrun-under-test.ts';
import { setBalance } from './sandbox-control.ts';
import { until } from './until.ts';
import { withoutHistory } from './without-history.ts';
import { HISTORY_SETTINGS } from '../../domain/accounts/history-schedule.ts';

/** How long payrun waits, after events that report funds, before it reads the balances. */
export const FUNDS_QUIET_MS = 300;
const FUNDS = { readEveryMs: 600_000, quietMs: FUNDS_QUIET_MS, maxDelayMs: 2_000 };
const HISTORY = { ...HISTORY_SETTINGS, waitingEveryMs: 1_000, quietMs: 200 };

/** How the payruns of these tests differ from each other. */
type Parts = Pick<PayrunOptions, 'sandbox' | 'concurrencyLimitOf'> & { history?: Partial<typeof HISTORY> };

/** A payrun that can follow the history of the balances: the ledger decides what is funded. */
export function startWithLedger({ history = {}, ...parts }: Parts): Promise<PayrunUnderTest> {
  return startPayrun({ ...parts, settings: { funds: FUNDS, history: { ...HISTORY, ...history } } });
}

/** A payrun without a ledger: where there is a history, the ledger decides before the provider is asked. */
export function startWithoutLedger(parts: Omit<Parts, 'history'>): Promise<PayrunUnderTest> {
  return startPayrun({ ...parts, settings: { funds: FUNDS }, startProxy: withoutHistory });
}

/** Sets a balance, and waits until the ledger has it. */
export async function setFollowedBalance(
  { sandbox, application, checker }: PayrunUnderTest,
  currency: string,
  amount: string,
): Promise<void> {
  await setBalance(sandbox, currency, '1.00');
  await setBalance(sandbox, currency, amount);
  await until(async () => {
    const [account] = await application.listBalances(checker, { account: null, currency: null });
    const balance = account?.balances.find((one) => one.currency === currency);
    return balance?.historyStatus === 'complete' && Number(balance.amountByHistory) === Number(amount);
  });
}

export interface WaitingPayment {
  paymentId: string;
  rowRef: string;
  /** The number of its requests to be funded. */
  asked: number;
}

/** The payments of a run that wait for money, in the order of the file. */
export async function waitingOf(
  { database }: Pick<PayrunUnderTest, 'database'>,
  runId: string,
): Promise<WaitingPayment[]> {
  const { rows } = await database.query<WaitingPayment>(
    `select payment_id as "paymentId", row_ref as "rowRef", (select count(*)::int from provider_requests requests
       where requests.payment_id = payments.payment_id and operation = 'fund') as asked
     from payments where run_id = $1 and state = 'awaiting_funds' order by row_number`,
    [runId],
  );
  return rows;
}

/** Waits until so many payments of a run wait for money. */
export function untilWaiting(
  payrun: Pick<PayrunUnderTest, 'database'>,
  runId: string,
  count: number,
): Promise<WaitingPayment[]> {
  return until(async () => {
    const waiting = await waitingOf(payrun, runId);
    return waiting.length === count ? waiting : null;
  });
}
