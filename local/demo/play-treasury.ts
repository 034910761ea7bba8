import { setTimeout as delay } from 'node:timers/promises';
import type { BookDay, PayrunClient, ScheduleOccurrence } from '../../client/sdk/index.ts';
import { type Demo, type PlayedDemo, secondsSince } from './demo.ts';
import { demoRunInPounds, moveSandboxClock, putIntoSandbox, readSandboxLedger } from './demo-files.ts';
import type { Ledger } from './demo-script.ts';
import { type ExampleClients, exampleClients } from './example-users.ts';
import { balanceTable, occurrenceTable, treasuryNextSteps } from './treasury-report.ts';
import { CLOCK_BEHIND_MS, demoSchedules, DEPOSITS, findTreasuryDeviations } from './treasury-script.ts';
import { waitForProposal } from './wait-for-proposal.ts';

const ACCOUNT = 'default';
const MS_BETWEEN_READS = 250;

/** A day is closed; then schedules top up, sweep, and buy what an approved run lacks, which is paid with it. */
export async function playTreasury({ stack, screen, options, signal }: Demo): Promise<PlayedDemo> {
  const startedAtMs = performance.now();
  const { serverUrl, sandboxUrl = '' } = stack.addresses;
  const clients = await exampleClients(stack.ownerDatabaseUrl, serverUrl);
  const { maker, checker } = clients;
  const until = <T>(look: () => Promise<T | null>): Promise<T> => untilSo(look, signal);

  screen.title("On an earlier day, by the sandbox's clock: money comes in");
  for (const [currency, amount] of DEPOSITS) {
    await putIntoSandbox(sandboxUrl, currency, amount);
    screen.say(`${currency} ${amount}`);
  }
  const day = new Date(Date.now() - CLOCK_BEHIND_MS).toISOString().slice(0, 10);
  await moveSandboxClock(sandboxUrl, CLOCK_BEHIND_MS);
  screen.say('The clock is moved to today.');
  await until(() => knownBalances(maker));

  screen.title(`The books of ${day} are reconciled and closed`);
  const closed = await closeDay(clients, { day, until });
  screen.say(
    'Payrun expected no money: each deposit is a break. The maker explains them, and the checker closes them.',
  );
  screen.say(`The checker signs the amounts: ${day} is ${closed?.state ?? 'not closed'}.`);

  const { topUp, sweep, fundRun } = demoSchedules(Date.now());
  const carriedOut: ScheduleOccurrence[] = [];
  const play = async (schedule: Record<string, unknown>): Promise<void> => {
    const occurrence = await playSchedule(clients, schedule, until);
    carriedOut.push(occurrence);
    screen.say(`The guards have decided on its order: ${(occurrence.ended ?? 'under way').replaceAll('_', ' ')}.`);
    await until(() => conversionsEnded(clients));
    screen.say('The bought money is there.');
  };
  screen.title(
    'The treasurer proposes a top-up: Singapore dollars up to 5,000; the checker confirms it, and it is started',
  );
  await play(topUp);
  screen.title('A sweep: what is above 10,000 euros becomes dollars');
  await play(sweep);
  screen.title('A run of two payments, of 3,500 pounds, is approved, and there are only 500');
  const { runId } = await maker.submitRun(await demoRunInPounds());
  const { proposal } = await waitForProposal(maker, runId);
  await checker.approveRun({ runId, contentHash: proposal?.contentHash ?? '', comment: 'demo' });
  await until(async () => ((await maker.getRun({ runId })).rows.awaiting_funds === 2 ? true : null));
  screen.say('Both rows wait for funds. A third schedule buys what the run lacks:');
  await play(fundRun);
  const run = await until(async () => {
    const current = await maker.getRun({ runId });
    return current.finishedAt === null ? null : current;
  });
  screen.say(`The run is ${run.state}.`);

  const seconds = secondsSince(startedAtMs);
  const ledger = await readSandboxLedger<Ledger>(sandboxUrl);
  const balances = Object.fromEntries(DEPOSITS.map(([currency]) => [currency, ledger.balances[currency] ?? '']));
  const deviations = findTreasuryDeviations({ occurrences: carriedOut, run, closed, balances, ledger });
  screen.ending({
    sections: [occurrenceTable([topUp, sweep, fundRun], carriedOut), balanceTable(balances, seconds)],
    deviations,
    kept: options.keep ? stack : null,
    nextSteps: treasuryNextSteps(options.keep),
  });
  const ends = carriedOut.map(({ ended }) => ended);
  return {
    deviations,
    document: { occurrences: ends, run: run.state, day: closed?.state ?? null, balances, seconds, ledger },
  };
}

type Until = <T>(look: () => Promise<T | null>) => Promise<T>;

async function untilSo<T>(look: () => Promise<T | null>, signal: AbortSignal): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    await delay(MS_BETWEEN_READS, undefined, { signal });
  }
}

/** Once the history of every currency that got money is followed. */
async function knownBalances(maker: PayrunClient): Promise<true | null> {
  const { accounts } = await maker.listBalances({ account: ACCOUNT });
  const balances = accounts.flatMap((account) => account.balances);
  const isKnown = ([currency, amount]: readonly [string, string]): boolean =>
    balances.some((one) => one.currency === currency && Number(one.free) === Number(amount));
  return DEPOSITS.every(isKnown) ? true : null;
}

/** Two people explain and close the breaks of a day, and one signs its amounts. */
async function closeDay(
  { maker, checker }: Pick<ExampleClients, 'maker' | 'checker'>,
  { day, until }: { day: string; until: Until },
): Promise<BookDay | null> {
  const ofDay = { account: ACCOUNT, from: day, to: day };
  await maker.askForReconciliation(ofDay);
  const storedDay = async (): Promise<BookDay | null> => (await maker.listBookDays(ofDay)).days[0] ?? null;
  const reconciled = await until(storedDay);
  for (const { breakId } of (await maker.listBreaks(ofDay)).breaks) {
    const reason = 'Money that the company has put in';
    const { explanationId } = await maker.explainBreak({ breakId, reason });
    await checker.closeBreak({ breakId, explanationId: explanationId ?? '' });
  }
  await checker.signBookDay({ account: ACCOUNT, day, contentHash: reconciled.contentHash });
  return storedDay();
}

/** A schedule is proposed, confirmed by a second person, and started by hand. */
async function playSchedule(
  { treasurer, checker }: Pick<ExampleClients, 'treasurer' | 'checker'>,
  schedule: Record<string, unknown>,
  until: Until,
): Promise<ScheduleOccurrence> {
  const { scheduleId } = await treasurer.addSchedule({ schedule });
  if (scheduleId === null) throw new Error('the schedule was not stored');
  const { proposed } = (await checker.getSchedule({ scheduleId })).schedule;
  const definitionHash = proposed?.definitionHash ?? '';
  await checker.decideSchedule({ scheduleId, version: 1, decision: 'confirmed', definitionHash });
  await treasurer.startOccurrence({ scheduleId }, { headers: { 'idempotency-key': 'demo' } });
  return until(async () => {
    const [newest] = (await treasurer.getSchedule({ scheduleId })).occurrences;
    return newest === undefined || newest.ended === null ? null : newest;
  });
}

async function conversionsEnded({ treasurer }: Pick<ExampleClients, 'treasurer'>): Promise<true | null> {
  const { orders } = await treasurer.listOrders({ account: ACCOUNT });
  return orders.every(({ endedAt }) => endedAt !== null) ? true : null;
}
