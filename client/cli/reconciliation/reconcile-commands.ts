import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import type { BookDay, PayrunClient, ReportFile } from '../../sdk/index.ts';
import { connectToChange } from '../acting-user.ts';
import { type CommandIo, write, writeJson, writeLine } from '../command-io.ts';
import { connect } from '../connection.ts';
import { NotAsRequested, WrongInput } from '../exit-code.ts';
import { examples } from '../help.ts';
import { save } from '../save-file.ts';
import { textTable } from '../text-table.ts';
import { moment, money, words } from '../wording.ts';
import { addBreakCommands } from './break-commands.ts';

interface Days {
  account?: string;
  from?: string;
  to?: string;
  json?: boolean;
}

interface ReconcileOptions extends Days {
  close?: boolean;
  wait: boolean;
}

const ACCOUNT = ['--account <name>', 'the account with the provider; needed if there are several'] as const;
const FROM = ['--from <day>', 'from this day (UTC, 2026-01-31)'] as const;
const TO = ['--to <day>', 'up to this day'] as const;
const JSON_OPTION = ['--json', 'one JSON document on stdout'] as const;

const POLL_EVERY_MS = 1_000;

/**
 * `reconcile` has options itself, and takes those of the same names that come after a further command: these read them with
 * `optsWithGlobals`.
 */
export function addReconcileCommands(program: Command, io: CommandIo): void {
  const reconcile = program
    .command('reconcile')
    .description("compare the provider's history with the database, day by day; it is also done every day by itself")
    .argument('[day]', 'only from this day on; without it, the days that were not reconciled yet')
    .option(...ACCOUNT)
    .option(...FROM)
    .option(...TO)
    .option('--close', 'sign the books of these days; a day closes when two people have closed its breaks')
    .option('--no-wait', 'do not wait for the result')
    .option(...JSON_OPTION)
    .addHelpText('after', examples('payrun reconcile', 'payrun reconcile --from 2026-01-01 --to 2026-01-31 --close'))
    .action(async (day: string | undefined, options: ReconcileOptions) => {
      await reconcileDays({ ...options, ...(day === undefined ? {} : { from: day }) }, io);
    });

  reconcile
    .command('days')
    .description('list the books of each day')
    .option(...ACCOUNT)
    .option(...FROM)
    .option(...TO)
    .option(...JSON_OPTION)
    .addHelpText('after', examples('payrun reconcile days --from 2026-01-01'))
    .action(async (_options: Days, command: Command) => {
      const { account, from, to, json } = command.optsWithGlobals<Days>();
      const filter = { account: account ?? null, from: from ?? null, to: to ?? null };
      const list = await (await connect(io)).listBookDays(filter);
      await (json === true ? writeJson(io, list) : writeLine(io.stdout, renderBookDays(list.days)));
    });

  addOpeningCommand(reconcile, io);
  addBreakCommands(reconcile, io);
  addReportCommand(reconcile, io);
}

async function reconcileDays({ account, from, to, close, wait, json }: ReconcileOptions, io: CommandIo): Promise<void> {
  const client = await connectToChange(io);
  const name = await accountOf(client, account);
  const filter = { account: name, from: from ?? null, to: to ?? null };
  const { isUnderWay } = await client.askForReconciliation(filter);
  if (isUnderWay) await writeLine(io.stderr, 'A reconciliation is under way already: this waits for that one.');
  if (!wait) {
    if (close === true) throw new WrongInput('--close needs the result: leave out --no-wait');
    return json === true
      ? writeJson(io, { account: name, days: null })
      : writeLine(io.stdout, 'Begun. See: payrun reconcile days');
  }
  await untilDone(client, name);
  if (close === true) await signDays(client, (await client.listBookDays(filter)).days, io);
  const { days } = await client.listBookDays(filter);
  await (json === true ? writeJson(io, { account: name, days }) : writeLine(io.stdout, renderBookDays(days)));
  if (days.some(({ openBreaks }) => Object.keys(openBreaks).length > 0)) {
    throw new NotAsRequested('there are breaks: see payrun reconcile breaks');
  }
}

async function untilDone(client: PayrunClient, account: string): Promise<void> {
  for (;;) {
    const { isUnderWay, hasFailed } = await client.getReconciliation({ account });
    if (hasFailed) throw new NotAsRequested("the days were not reconciled: the provider's history could not be read");
    if (!isUnderWay) return;
    await sleep(POLL_EVERY_MS);
  }
}

/** Each as it was just shown to be, in their order. */
async function signDays(client: PayrunClient, days: readonly BookDay[], io: CommandIo): Promise<void> {
  for (const { account, day, state, contentHash } of days) {
    if (state !== 'matched') continue;
    const signed = await client.signBookDay({ account, day, contentHash });
    await writeLine(io.stderr, `${signed.state === 'closed' ? 'Closed' : 'Signed'} ${day}: ${contentHash}`);
  }
}

function addOpeningCommand(reconcile: Command, io: CommandIo): void {
  reconcile
    .command('sign-opening')
    .description('sign the balance before the first entry, where the history does not begin with 0')
    .argument('<currency>', 'the currency')
    .argument('<amount>', 'the balance, as you know it from elsewhere: 1234.50')
    .option(...ACCOUNT)
    .addHelpText('after', examples('payrun reconcile sign-opening EUR 1234.50'))
    .action(async (currency: string, amount: string, _options: object, command: Command) => {
      const { account } = command.optsWithGlobals<Days>();
      const client = await connectToChange(io);
      await client.signOpening({ account: await accountOf(client, account), currency, amount });
      await writeLine(io.stdout, 'Signed. The first day can be closed.');
    });
}

const FORMATS = ['html', 'breaks', 'entries', 'days', 'fees', 'exchange', 'camt053'] as const;
type Format = (typeof FORMATS)[number];

const FILE_OF: Readonly<Record<Format, ReportFile>> = {
  html: 'report.html',
  breaks: 'breaks.csv',
  entries: 'entries.csv',
  days: 'days.csv',
  fees: 'fees.csv',
  exchange: 'exchange.csv',
  camt053: 'statement.xml',
};

interface ReportOptions {
  account?: string;
  to?: string;
  format: Format;
  currency?: string;
  output?: string;
}

function addReportCommand(reconcile: Command, io: CommandIo): void {
  reconcile
    .command('report')
    .description('write a report of some days: a page, a table as CSV, or the statement of a currency (camt.053)')
    .argument('<day>', 'the first day')
    .option('--to <day>', 'the last day; at most 31 days')
    .addOption(new Option('--format <format>', 'what to write').choices(FORMATS).default('html'))
    .option('--currency <code>', 'of a statement')
    .option(...ACCOUNT)
    .option('-o, --output <file>', 'write to this file instead of stdout')
    .addHelpText(
      'after',
      examples(
        'payrun reconcile report 2026-01-31 -o report.html',
        'payrun reconcile report 2026-01-31 --format camt053 --currency EUR -o eur.xml',
      ),
    )
    .action(async (from: string, _options: object, command: Command) => {
      const { account, to, format, currency, output } = command.optsWithGlobals<ReportOptions>();
      if (format === 'camt053' && currency === undefined) throw new WrongInput('a statement needs --currency');
      const client = await connect(io);
      const pieces = client.getReconciliationFile({
        ...{ file: FILE_OF[format], account: await accountOf(client, account), from, to: to ?? null },
        currency: currency?.toUpperCase() ?? null,
      });
      if (output === undefined) for await (const piece of pieces) await write(io.stdout, piece);
      else {
        await save(pieces, resolve(io.cwd, output), { mayReplace: true });
        await writeLine(io.stderr, `Wrote ${output}.`);
      }
    });
}

/** The named account, else the only one. @throws WrongInput with the names if there are several */
async function accountOf(client: PayrunClient, name: string | undefined): Promise<string> {
  if (name !== undefined) return name;
  const names = (await client.listBalances()).accounts.map(({ account }) => account);
  const [only, ...others] = names;
  if (only === undefined) throw new WrongInput('there is no account that you may use');
  if (others.length > 0) throw new WrongInput(`say which account with --account: ${names.join(', ')}`);
  return only;
}

/** A line for each day and currency. */
function renderBookDays(days: readonly BookDay[]): string {
  if (days.length === 0) return 'No day was reconciled yet: the history of the balances has no day that has ended.';
  const rows = days.flatMap((day) => {
    const state = stateOf(day);
    if (day.books.length === 0) return [[day.day, day.account, '', '', '', '', '', state]];
    return day.books.map(({ currency, opening, closing, entryCount, isComplete }) => [
      ...[day.day, day.account, currency, money(opening), money(closing), String(entryCount)],
      ...[isComplete ? 'yes' : '', state],
    ]);
  });
  return textTable(
    [
      { title: 'Day (UTC)' },
      { title: 'Account', maxWidth: 20 },
      { title: 'Currency' },
      { title: 'Opening', align: 'right' },
      { title: 'Closing', align: 'right' },
      { title: 'Entries', align: 'right' },
      { title: 'Matches balance' },
      { title: 'State' },
    ],
    rows,
  );
}

function stateOf({ state, openBreaks, signedBy, closedAt }: BookDay): string {
  const breaks = Object.entries(openBreaks).map(([type, number]) => `${number} ${words(type)}`);
  const by = signedBy === null ? '' : ` by ${signedBy.name}`;
  if (state === 'closed') return `closed on ${moment(closedAt ?? '')}${by}`;
  return [`${state}${by}`, ...(breaks.length === 0 ? [] : [`breaks: ${breaks.join(', ')}`])].join('; ');
}
