import { requestsNeeded, secondsToSend } from '../../domain/runs/finishing-time.ts';
import { addAmounts } from '../../domain/money.ts';
import type { CurrencyTotal, FundsNeed, RunProposal } from '../../domain/runs/run-proposal.ts';
import { dayOf } from '../../domain/payments/pay-day.ts';
import { type BalanceSnapshot, readBalances } from '../../store/payments/balance-snapshots.ts';
import { inTransaction, type Queryable } from '../../store/database/database.ts';
import { sameFileBefore } from '../../store/runs/duplicates.ts';
import { readDayUse } from '../../store/payments/request-days.ts';
import { type PlanTotals, readCommittedFunds, readContentHash, readPlanTotals } from '../../store/runs/run-planning.ts';
import { moveRun, readRunStanding, replaceProposal } from '../../store/runs/runs.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/** Works out what the run would do, for the ones who decide. `releasable`: rows that a checker may add to what is paid. */
export function proposeRunActivity({ database, settings }: ActivityDependencies) {
  return async function proposeRun({ runId }: { runId: string }): Promise<ProposedRun> {
    const { proposal, suspects } = await composeProposal(database, runId, settings);
    await moveRun(database, runId, { to: 'proposed', proposal });
    return { payable: proposal.payable, contentHash: proposal.contentHash, releasable: suspects };
  };
}

export interface ProposedRun {
  payable: number;
  contentHash: string;
  releasable: number;
}

/** Works it out again after a row was released, until it is of the content that there is. */
export function reviseProposalActivity({ database, settings }: ActivityDependencies) {
  return async function reviseProposal({ runId }: { runId: string }): Promise<void> {
    for (let isStale = true; isStale; ) {
      const { proposal } = await inTransaction(database, async (transaction) => {
        await transaction.query('set transaction isolation level repeatable read, read only');
        return composeProposal(transaction, runId, settings);
      });
      isStale = await replaceProposal(database, runId, proposal);
    }
  };
}

async function composeProposal(
  database: Queryable,
  runId: string,
  settings: ActivityDependencies['settings'],
): Promise<{ proposal: RunProposal; suspects: number }> {
  const standing = await readRunStanding(database, runId);
  if (standing === null) throw new Error(`there is no run ${runId}`);
  const run = { runId, account: standing.account };
  const totals = await readPlanTotals(database, runId);
  const claims = await readCommittedFunds(database, run);
  const held = await readBalances(database, run.account);
  const requests = requestsNeeded({
    payments: totals.payable,
    newBeneficiaries: totals.newBeneficiaries,
    files: totals.files,
  });
  const proposal: RunProposal = {
    rows: totals.rows,
    payable: totals.payable,
    onHold: totals.rows - totals.payable,
    totalsByBuyCurrency: totalsOf(totals, 'buy'),
    totalsBySellCurrency: totalsOf(totals, 'sell'),
    funds: fundsOf(totals, held, claims.byCurrency),
    requests,
    durationSeconds: secondsToSend(
      requests + claims.requests,
      settings.limitOf(run.account),
      await readDayUse(database, run.account),
    ),
    warnings: [...(await fileWarnings(database, runId)), ...warningsOf(totals)],
    contentHash: await readContentHash(database, runId),
  };
  return { proposal, suspects: totals.suspects };
}

/** Totals of the rows that fix this side, by its currency. The other side is known when each is quoted. */
function totalsOf(totals: PlanTotals, side: 'sell' | 'buy'): CurrencyTotal[] {
  const byCurrency = new Map<string, CurrencyTotal>();
  for (const sum of totals.byCurrency.filter((candidate) => candidate.side === side)) {
    const currency = side === 'sell' ? sum.sellCurrency : sum.buyCurrency;
    const total = byCurrency.get(currency);
    byCurrency.set(currency, {
      currency,
      rows: (total?.rows ?? 0) + sum.rows,
      amount: total === undefined ? sum.amount : addAmounts(total.amount, sum.amount),
    });
  }
  return [...byCurrency.values()].sort((a, b) => (a.currency < b.currency ? -1 : 1));
}

function fundsOf(
  totals: PlanTotals,
  held: readonly BalanceSnapshot[],
  committed: readonly { currency: string; amount: string }[],
): FundsNeed[] {
  const currencies = [...new Set(totals.byCurrency.map((sum) => sum.sellCurrency))].sort();
  return currencies.map((currency) => {
    // A row that fixes the amount to be received sells the same amount where no conversion is needed.
    const known = totals.byCurrency.filter(
      (sum) => sum.sellCurrency === currency && (sum.side === 'sell' || sum.buyCurrency === currency),
    );
    return {
      currency,
      needed: known.reduce((sum, { amount }) => addAmounts(sum, amount), '0'),
      balance: held.find((balance) => balance.currency === currency)?.amount ?? null,
      committed: committed.find((each) => each.currency === currency)?.amount ?? '0',
    };
  });
}

async function fileWarnings(database: Queryable, runId: string): Promise<string[]> {
  const before = await sameFileBefore(database, runId);
  return before === null ? [] : [`the very same file was submitted before, on ${dayOf(before.getTime())}`];
}

function warningsOf(totals: PlanTotals): string[] {
  const converted = totals.byCurrency
    .filter((sum) => sum.side === 'buy' && sum.buyCurrency !== sum.sellCurrency)
    .reduce((rows, sum) => rows + sum.rows, 0);
  const warnings: string[] = [];
  if (totals.suspects > 0)
    warnings.push(`suspected duplicates: ${totals.suspects}. Each is left out unless a checker releases it`);
  if (converted > 0)
    warnings.push(`${converted} rows fix the amount received: what they cost is known when each is quoted`);
  return warnings;
}
