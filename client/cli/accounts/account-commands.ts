import type { Command } from 'commander';
import type { HistoryEntry } from '../../sdk/index.ts';
import { type CommandIo, writeJson, writeLine } from '../command-io.ts';
import { connect } from '../connection.ts';
import { examples } from '../help.ts';
import { ACCOUNT, CURRENCY, entryCount, type Filter, filterOf, JSON_OPTION, lineCount } from './account-options.ts';
import { addVirtualCommands } from './virtual-commands.ts';
import { addReceiptCommands } from './receipt-commands.ts';
import { renderBalances, renderHistory, renderLedger } from './render-balances.ts';

interface HistoryOptions extends Filter {
  from?: string;
  to?: string;
  limit: number;
}

interface LedgerOptions extends Filter {
  run?: string;
  limit: number;
}

const DEFAULT_ENTRIES = 100;

export function addAccountCommands(program: Command, io: CommandIo): void {
  const accounts = program
    .command('accounts')
    .description('money with the provider: balances, their history, what it is meant for, and what came in');

  accounts
    .command('balances')
    .description('show the balances, and how far each is known from its history')
    .option(...ACCOUNT)
    .option(...CURRENCY)
    .option(...JSON_OPTION)
    .addHelpText('after', examples('payrun accounts balances'))
    .action(async ({ account, currency, json }: Filter) => {
      const shown = await (await connect(io)).listBalances(filterOf({ account, currency }));
      await (json === true ? writeJson(io, shown) : writeLine(io.stdout, renderBalances(shown.accounts)));
    });

  accounts
    .command('history')
    .description("list the changes of the balances, from the provider's history, the newest first")
    .option(...ACCOUNT)
    .option(...CURRENCY)
    .option('--from <time>', 'only entries since 2026-01-31 or 2026-01-31T12:00:00Z')
    .option('--to <time>', 'only entries up to the end of 2026-01-31, or before 2026-01-31T12:00:00Z')
    .option('--limit <count>', 'how many', entryCount, DEFAULT_ENTRIES)
    .option(...JSON_OPTION)
    .addHelpText('after', examples('payrun accounts history --currency EUR --from 2026-01-01 --to 2026-01-31'))
    .action(async ({ account, currency, from, to, limit, json }: HistoryOptions) => {
      const client = await connect(io);
      const filter = { ...filterOf({ account, currency }), from: from ?? null, to: to ?? null };
      const { entries, hasMore } = await firstOf(client.eachHistoryEntry(filter), limit);
      await (json === true
        ? writeJson(io, { entries, hasMore })
        : writeLine(io.stdout, renderHistory(entries, hasMore)));
    });

  addLedgerCommand(accounts, io);
  addReceiptCommands(accounts, io);
  addVirtualCommands(accounts, io);
}

function addLedgerCommand(accounts: Command, io: CommandIo): void {
  accounts
    .command('ledger')
    .description('show what the money is meant for: runs, payments, conversions or nothing; and every transfer of it')
    .option(...ACCOUNT)
    .option(...CURRENCY)
    .option('--run <run>', 'only money of this run and its payments')
    .option('--limit <count>', 'how many transfers, at most 1000', lineCount, DEFAULT_ENTRIES)
    .option(...JSON_OPTION)
    .addHelpText('after', examples('payrun accounts ledger --currency EUR', 'payrun accounts ledger --run RUN'))
    .action(async ({ account, currency, run, limit, json }: LedgerOptions) => {
      const filter = { ...filterOf({ account, currency }), run: run ?? null, limit };
      const page = await (await connect(io)).readLedger(filter);
      if (json === true) return writeJson(io, page);
      await writeLine(io.stdout, renderLedger(page.balances, page.transfers, page.nextAfter !== null));
    });
}

async function firstOf(
  entries: AsyncIterable<HistoryEntry>,
  limit: number,
): Promise<{ entries: HistoryEntry[]; hasMore: boolean }> {
  const first: HistoryEntry[] = [];
  for await (const entry of entries) {
    if (first.length === limit) return { entries: first, hasMore: true };
    first.push(entry);
  }
  return { entries: first, hasMore: false };
}
