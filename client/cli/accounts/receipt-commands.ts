import { type Command, Option } from 'commander';
import { REFUND_STATES, type RefundState } from '../../sdk/index.ts';
import { type CommandIo, writeJson, writeLine } from '../command-io.ts';
import { connect } from '../connection.ts';
import { examples } from '../help.ts';
import { ACCOUNT, CURRENCY, type Filter, filterOf, JSON_OPTION, lineCount } from './account-options.ts';
import { renderRefunds } from './render-refunds.ts';

interface RefundOptions extends Filter {
  run?: string;
  state?: RefundState;
  limit: number;
}

const DEFAULT_LINES = 100;

/** Commands about money that came in. */
export function addReceiptCommands(accounts: Command, io: CommandIo): void {
  accounts
    .command('refunds')
    .description('list refunds: money that came back, or is expected to')
    .option(...ACCOUNT)
    .option(...CURRENCY)
    .option('--run <run>', 'only refunds of payments of this run')
    .addOption(new Option('--state <state>', 'only refunds in this state').choices(REFUND_STATES))
    .option('--limit <count>', 'how many, at most 1000', lineCount, DEFAULT_LINES)
    .option(...JSON_OPTION)
    .addHelpText('after', examples('payrun accounts refunds', 'payrun accounts refunds --state expected'))
    .action(async ({ account, currency, run, state, limit, json }: RefundOptions) => {
      const filter = { ...filterOf({ account, currency }), run: run ?? null, state: state ?? null, limit };
      const list = await (await connect(io)).accounts.refunds(filter);
      await (json === true ? writeJson(io, list) : writeLine(io.stdout, renderRefunds(list.refunds, list.hasMore)));
    });
}
