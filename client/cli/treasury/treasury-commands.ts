import { type Command, InvalidArgumentError, Option } from 'commander';
import { CONVERSION_STATES, type ConversionState } from '../../../domain/treasury/conversion-state.ts';
import type { OrderDetail } from '../../sdk/index.ts';
import { connectToChange } from '../acting-user.ts';
import { type CommandIo, writeJson, writeLine } from '../command-io.ts';
import { connect } from '../connection.ts';
import { WrongInput } from '../exit-code.ts';
import { examples } from '../help.ts';
import { addCashCommand } from './cash-command.ts';
import { addConvertCommand } from './convert-command.ts';
import { renderOrder, renderOrders } from './render-orders.ts';
import { addScheduleCommands } from './schedule-commands.ts';
import { addResolveOrderCommand } from './resolve-order-command.ts';

interface ListOptions {
  account?: string;
  state?: ConversionState;
  limit: number;
  json?: boolean;
}

interface DecideOptions {
  contentHash?: string;
  reason?: string;
  json?: boolean;
}

const MAX_ORDERS = 200;
const SHORTEST_HASH = 8;

export function addTreasuryCommands(program: Command, io: CommandIo): void {
  const treasury = program
    .command('treasury')
    .description(
      'convert money of one balance into another currency, by orders and by schedules; what the money will be',
    );
  addConvertCommand(treasury, io);
  addScheduleCommands(treasury, io);
  addCashCommand(treasury, io);

  treasury
    .command('list')
    .description('list orders to convert, the newest first')
    .option('--account <name>', 'only orders of this account of the provider')
    .addOption(new Option('--state <state>', 'only orders in this state').choices(CONVERSION_STATES))
    .option('--limit <count>', `how many, at most ${MAX_ORDERS}`, orderCount, 50)
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun treasury list', 'payrun treasury list --state in_approval'))
    .action(async ({ account, state, limit, json }: ListOptions) => {
      const filter = { account: account ?? null, state: state ?? null, limit };
      const page = await (await connect(io)).listOrders(filter);
      await (json === true ? writeJson(io, page) : writeLine(io.stdout, renderOrders(page.orders)));
    });

  treasury
    .command('show')
    .description('show an order: its terms, its quote, what each guard said, and what was sent')
    .argument('<order>', "the order's id")
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun treasury show ORDER'))
    .action(async (orderId: string, { json }: { json?: boolean }) => {
      const order = await (await connect(io)).getOrder({ orderId });
      await (json === true ? writeJson(io, order) : writeLine(io.stdout, renderOrder(order)));
    });

  for (const decision of DECISIONS) addDecisionCommand(treasury, io, decision);
  addResolveOrderCommand(treasury, io);
}

interface DecisionCommand {
  name: 'approve' | 'reject' | 'withdraw' | 'release';
  description: string;
  call: 'approveOrder' | 'rejectOrder' | 'withdrawOrder' | 'releaseOrder';
}

const DECISIONS: readonly DecisionCommand[] = [
  {
    name: 'approve',
    description: 'approve an order of somebody else: exactly its terms, whatever it is quoted at within them',
    call: 'approveOrder',
  },
  {
    name: 'reject',
    description: 'reject an order of somebody else, before it is created',
    call: 'rejectOrder',
  },
  {
    name: 'withdraw',
    description: 'withdraw an order of your own, before it is created',
    call: 'withdrawOrder',
  },
  {
    name: 'release',
    description: 'release a held order of somebody else, of which the provider has nothing: it is quoted again',
    call: 'releaseOrder',
  },
];

function addDecisionCommand(treasury: Command, io: CommandIo, { name, description, call }: DecisionCommand): void {
  treasury
    .command(name)
    .description(description)
    .argument('<order>', "the order's id")
    .option(
      '--content-hash <hash>',
      `the hash of the terms that you have seen, or its first ${SHORTEST_HASH} characters, from \`show\``,
    )
    .option('--reason <text>', 'recorded with the decision')
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples(`payrun treasury ${name} ORDER`))
    .action(async (orderId: string, { contentHash, reason, json }: DecideOptions) => {
      const client = await connectToChange(io);
      const seen = await client.getOrder({ orderId });
      const orderHash = hashOf(seen, contentHash ?? null);
      const decision = { orderId, orderHash, reason: reason ?? null };
      const decided = await client[call](decision);
      await (json === true ? writeJson(io, decided) : writeLine(io.stdout, renderOrder(decided)));
    });
  // The others say no, which takes no second factor.
}

/** Without a hash, the terms that are recorded: nobody can change them. */
function hashOf({ orderHash, orderId }: OrderDetail, given: string | null): string {
  if (given === null) return orderHash;
  if (given.length >= SHORTEST_HASH && orderHash.startsWith(given)) return orderHash;
  throw new WrongInput(`these are not the terms of the order: look at it again with payrun treasury show ${orderId}`);
}

function orderCount(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= MAX_ORDERS) return count;
  throw new InvalidArgumentError(`give a whole number from 1 to ${MAX_ORDERS}`);
}
