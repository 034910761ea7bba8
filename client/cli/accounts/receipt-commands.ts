import { type Command, Option } from 'commander';
import { type Deposit, DEPOSIT_STATES, REFUND_STATES, type Refund } from '../../sdk/index.ts';
import { type CommandIo, writeJson, writeLine } from '../command-io.ts';
import { connect } from '../connection.ts';
import { examples } from '../help.ts';
import { ACCOUNT, CURRENCY, type Filter, filterOf, JSON_OPTION, lineCount } from './account-options.ts';
import { renderDeposits, renderFundings, renderReceipts, renderRefunds } from './render-receipts.ts';

interface RefundOptions extends Filter {
  run?: string;
  state?: Refund['state'];
  limit: number;
}

interface DepositOptions extends Filter {
  state?: Deposit['state'];
  limit: number;
}

interface FundingOptions extends Filter {
  status?: string;
  limit: number;
}

interface ReceiptOptions extends Filter {
  all?: boolean;
  limit: number;
}

interface AssignOptions {
  account: string;
  refund?: string;
  reason: string;
  json?: boolean;
}

const DEFAULT_LINES = 100;
const LIMIT = ['--limit <count>', 'how many, at most 1000', lineCount, DEFAULT_LINES] as const;

/** Commands about money that came in. */
export function addReceiptCommands(accounts: Command, io: CommandIo): void {
  accounts
    .command('refunds')
    .description('list refunds: money that came back, or is expected to')
    .option(...ACCOUNT)
    .option(...CURRENCY)
    .option('--run <run>', 'only refunds of payments of this run')
    .addOption(new Option('--state <state>', 'only refunds in this state').choices(REFUND_STATES))
    .option(...LIMIT)
    .option(...JSON_OPTION)
    .addHelpText('after', examples('payrun accounts refunds', 'payrun accounts refunds --state expected'))
    .action(async ({ account, currency, run, state, limit, json }: RefundOptions) => {
      const filter = { ...filterOf({ account, currency }), run: run ?? null, state: state ?? null, limit };
      const list = await (await connect(io)).listRefunds(filter);
      await (json === true ? writeJson(io, list) : writeLine(io.stdout, renderRefunds(list.refunds, list.hasMore)));
    });
  addIncomingCommands(accounts, io);
  addUnexplainedCommands(accounts, io);
}

function addIncomingCommands(accounts: Command, io: CommandIo): void {
  accounts
    .command('deposits')
    .description('list deposits on virtual accounts: reported by notifications, confirmed by the history')
    .option(...ACCOUNT)
    .addOption(new Option('--state <state>', 'only deposits in this state').choices(DEPOSIT_STATES))
    .option(...LIMIT)
    .option(...JSON_OPTION)
    .addHelpText('after', examples('payrun accounts deposits --state reported'))
    .action(async ({ account, state, limit, json }: DepositOptions) => {
      const filter = { account: account ?? null, state: state ?? null, limit };
      const list = await (await connect(io)).listDeposits(filter);
      await (json === true ? writeJson(io, list) : writeLine(io.stdout, renderDeposits(list.deposits, list.hasMore)));
    });

  accounts
    .command('fundings')
    .description('list fundings: money that was announced, with its status, and whether it was seen')
    .option(...ACCOUNT)
    .option(...CURRENCY)
    .option('--status <status>', 'only fundings with this status of the provider')
    .option(...LIMIT)
    .option(...JSON_OPTION)
    .addHelpText('after', examples('payrun accounts fundings --status pending'))
    .action(async ({ account, currency, status, limit, json }: FundingOptions) => {
      const filter = { ...filterOf({ account, currency }), status: status ?? null, limit };
      const list = await (await connect(io)).listFundings(filter);
      await (json === true ? writeJson(io, list) : writeLine(io.stdout, renderFundings(list.fundings, list.hasMore)));
    });
}

function addUnexplainedCommands(accounts: Command, io: CommandIo): void {
  const receipts = accounts.command('receipts').description('money that came in and that nothing explains');

  receipts
    .command('list', { isDefault: true })
    .description('list money that came in and that nothing explains, with its age')
    .option(...ACCOUNT)
    .option(...CURRENCY)
    .option('--all', 'also what something explains')
    .option(...LIMIT)
    .option(...JSON_OPTION)
    .addHelpText('after', examples('payrun accounts receipts', 'payrun accounts receipts --all --currency EUR'))
    .action(async ({ account, currency, all, limit, json }: ReceiptOptions) => {
      const filter = { ...filterOf({ account, currency }), all: all === true, limit };
      const list = await (await connect(io)).listReceipts(filter);
      await (json === true ? writeJson(io, list) : writeLine(io.stdout, renderReceipts(list.receipts, list.hasMore)));
    });

  receipts
    .command('assign')
    .description('assign a receipt that nothing explains')
    .argument('<entry>', 'its entry in the history, from `accounts receipts`')
    .argument('<currency>', 'the currency of the balance')
    .option('--account <name>', 'the account of the provider', 'default')
    .option('--refund <refund>', 'it is the money of this refund, whose payment is then returned')
    .requiredOption('--reason <text>', 'what it is; kept in the audit trail')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      examples(
        'payrun accounts receipts assign ENTRY EUR --reason "interest of March"',
        'payrun accounts receipts assign ENTRY EUR --refund REFUND --reason "told by the bank"',
      ),
    )
    .action(async (entryId: string, currency: string, { account, refund, reason, json }: AssignOptions) => {
      const assignment = { account, currency: currency.toUpperCase(), entryId, refundId: refund ?? null, reason };
      await (await connect(io)).assignReceipt(assignment);
      await (json === true ? writeJson(io, assignment) : writeLine(io.stdout, `${entryId} is assigned.`));
    });
}
