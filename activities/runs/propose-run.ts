import { setImmediate } from 'node:timers/promises';
import { dueDates, type IsOpen } from '../../domain/runs/due-dates.ts';
import { requestsNeeded, secondsToSend } from '../../domain/runs/finishing-time.ts';
import { addAmounts, sumAmounts } from '../../domain/money.ts';
import type { CurrencyTotal, ExpectedCost, FundsNeed, RunProposal } from '../../domain/runs/run-proposal.ts';
import { isOpenIn } from '../../domain/treasury/currency-calendar.ts';
import { readLocalDay } from '../../store/approvals/local-days.ts';
import { type BalanceSnapshot, readBalances } from '../../store/payments/balance-snapshots.ts';
import { inTransaction, type Queryable } from '../../store/database/database.ts';
import { holdUnconfirmedAccounts } from '../../store/beneficiaries/account-holds.ts';
import { readEarlierSubmission } from '../../store/runs/duplicates.ts';
import { readSendingState } from '../../store/payments/request-days.ts';
import { type ProposalTotals, readExpectedCosts, readProposalTotals } from '../../store/runs/proposal-totals.ts';
import { type KnownMoney, readKnownMoney, readYieldingTo } from '../../store/accounts/ledger.ts';
import { readOtherRunsNeed } from '../../store/runs/other-runs-need.ts';
import { keepRatesOfRun, readContentHash, readCostBound } from '../../store/approvals/run-approval.ts';
import { transitionRun, readRunStatus } from '../../store/runs/run-transition.ts';
import { replaceProposal } from '../../store/runs/run-proposals.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/** Composes the proposal for the approvers. `releasable`: rows on hold that people may release before the decision. */
export function proposeRunActivity({ database, settings, now }: ActivityDependencies) {
  return async function proposeRun({ runId }: { runId: string }): Promise<ProposedRun> {
    await keepRatesOfRun(database, runId);
    await holdUnconfirmedAccounts(database, runId);
    const { proposal, onHold } = await composeProposal(database, runId, { settings, now });
    await transitionRun(database, runId, { to: 'proposed', proposal });
    return { payable: proposal.payable, contentHash: proposal.contentHash, releasable: onHold };
  };
}

export interface ProposedRun {
  payable: number;
  contentHash: string;
  releasable: number;
}

/** Composes the proposal again after a row was released, until it matches the current content. */
export function reviseProposalActivity({ database, settings, now }: ActivityDependencies) {
  return async function reviseProposal({ runId }: { runId: string }): Promise<void> {
    await keepRatesOfRun(database, runId);
    await holdUnconfirmedAccounts(database, runId);
    for (let isStale = true; isStale; ) {
      const { proposal } = await inTransaction(database, async (transaction) => {
        await transaction.query('set transaction isolation level repeatable read, read only');
        return composeProposal(transaction, runId, { settings, now });
      });
      isStale = await replaceProposal(database, runId, proposal);
    }
  };
}

async function composeProposal(
  database: Queryable,
  runId: string,
  { settings, now }: Pick<ActivityDependencies, 'settings' | 'now'>,
): Promise<{ proposal: RunProposal; onHold: number }> {
  const record = await readRunStatus(database, runId);
  if (record === null) throw new Error(`there is no run ${runId}`);
  const run = { runId, account: record.account };
  const composedAt = new Date(now()).toISOString();
  const totals = await readProposalTotals(database, runId);
  const committed = await readOtherRunsNeed(database, run);
  const balances = await readBalances(database, run.account);
  const known = await readKnownMoney(database, run.account);
  const dueLater = await readYieldingTo(database, runId);
  const costs = await readExpectedCosts(database, runId);
  const sending = await readSendingState(database, run.account);
  const requests = requestsNeeded({
    payments: totals.payable,
    newBeneficiaries: totals.newBeneficiaries,
    files: totals.files,
  });
  const proposal: RunProposal = {
    composedAt,
    rows: totals.rows,
    payable: totals.payable,
    onHold: totals.rows - totals.payable,
    totals: totalsOf(totals),
    funds: fundsOf(costs, { balances, committed: committed.byCurrency, known, dueLater }),
    costs,
    due: await dueDates(totals.byCurrency, totals.today, isOpenBy(settings.schedules.calendars)),
    requests,
    durationSeconds: secondsToSend(requests + committed.requests, settings.limitOf(run.account), sending),
    roundTripMs: sending.roundTripMs,
    warnings: [...(await fileWarnings(database, run)), ...warningsOf(totals)],
    costBound: await readCostBound(database, runId),
    contentHash: await readContentHash(database, runId),
  };
  return { proposal, onHold: totals.suspects + totals.unconfirmed };
}

/** The holidays of a country and year may take a third of a second to compute: others have their turn in between. */
function isOpenBy(calendars: ActivityDependencies['settings']['schedules']['calendars']): IsOpen {
  return async (currency, date) => {
    await setImmediate();
    return isOpenIn(currency, date, calendars);
  };
}

/** By what rows fix, the most rows first. The other side is expected at most, until a row is quoted. */
function totalsOf({ byCurrency }: ProposalTotals): CurrencyTotal[] {
  const totals = new Map<string, CurrencyTotal>();
  for (const { side, sellCurrency, buyCurrency, rows, amount } of byCurrency) {
    const currency = side === 'sell' ? sellCurrency : buyCurrency;
    const total = totals.get(`${currency} ${side}`) ?? { currency, side, rows: 0, amount: '0' };
    const sum = { rows: total.rows + rows, amount: addAmounts(total.amount, amount) };
    totals.set(`${currency} ${side}`, { ...total, ...sum });
  }
  return [...totals.values()].sort((a, b) => b.rows - a.rows || (a.currency < b.currency ? -1 : 1));
}

/** What is committed: by the ledger, or else what other runs still have to pay, as far as it is known. */
function fundsOf(
  costs: readonly ExpectedCost[],
  money: {
    balances: readonly BalanceSnapshot[];
    committed: readonly { currency: string; amount: string }[];
    known: readonly KnownMoney[];
    dueLater: ReadonlyMap<string, string>;
  },
): FundsNeed[] {
  const currencies = [...new Set(costs.map(({ sellCurrency }) => sellCurrency))].sort();
  return currencies.map((currency) => {
    const mine = costs.filter(({ sellCurrency }) => sellCurrency === currency);
    const fees = sumAmounts(mine.map((cost) => cost.fees ?? '0'));
    const need = {
      needed: addAmounts(sumAmounts(mine.map(({ sells }) => sells ?? '0')), fees),
      fees,
      unquotedRows: mine.filter((cost) => cost.fees === null).reduce((sum, { rows }) => sum + rows, 0),
    };
    const known = money.known.find((each) => each.currency === currency);
    if (known !== undefined) return { ...need, ...known, dueLater: money.dueLater.get(currency) ?? '0' };
    return {
      currency,
      ...need,
      balance: money.balances.find((balance) => balance.currency === currency)?.amount ?? null,
      committed: money.committed.find((each) => each.currency === currency)?.amount ?? '0',
      dueLater: '0',
    };
  });
}

async function fileWarnings(database: Queryable, run: { runId: string; account: string }): Promise<string[]> {
  const before = await readEarlierSubmission(database, run.runId);
  if (before === null) return [];
  return [`the same file was submitted before, on ${await readLocalDay(database, run.account, before.getTime())}`];
}

function warningsOf(totals: ProposalTotals): string[] {
  const warnings: string[] = [];
  if (totals.suspects > 0)
    warnings.push(`suspected duplicates: ${totals.suspects}. Each is left out unless a checker releases it`);
  if (totals.unconfirmed > 0)
    warnings.push(
      `rows to unconfirmed accounts: ${totals.unconfirmed}. Each is left out unless its account is confirmed`,
    );
  return warnings;
}
