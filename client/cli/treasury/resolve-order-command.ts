import { type Command, Option } from 'commander';
import { ORDER_MANUAL_OUTCOME_KINDS, type OrderDetail } from '../../sdk/index.ts';
import { connectToChange } from '../acting-user.ts';
import { type CommandIo, writeJson, writeLine } from '../command-io.ts';
import { WrongInput } from '../exit-code.ts';
import { examples } from '../help.ts';
import { renderOrder } from './render-orders.ts';

interface ResolveOptions {
  outcome?: (typeof ORDER_MANUAL_OUTCOME_KINDS)[number];
  reason?: string;
  confirm?: boolean;
  reject?: boolean;
  json?: boolean;
}

export function addResolveOrderCommand(treasury: Command, io: CommandIo): void {
  treasury
    .command('resolve')
    .description(
      'say what became of an order, or have its conversion funded, by two people: one proposes, another one confirms',
    )
    .argument('<order>', "the order's id")
    .addOption(new Option('--outcome <outcome>', 'propose this outcome').choices(ORDER_MANUAL_OUTCOME_KINDS))
    .option('--reason <text>', 'how the outcome is known; required with --outcome')
    .option('--confirm', 'confirm the open proposal')
    .option('--reject', 'reject the open proposal, or take back your own')
    .option('--json', 'one JSON document on stdout')
    .addHelpText(
      'after',
      examples(
        'payrun treasury resolve ORDER --outcome funded --reason "the provider confirms the debit"',
        'payrun treasury resolve ORDER --outcome fund_again --reason "the provider has no debit, and takes the amounts"',
        'payrun treasury resolve ORDER --confirm',
      ),
    )
    .action(async (orderId: string, options: ResolveOptions) => {
      checkOptions(options);
      const client = await connectToChange(io);
      const reason = options.reason ?? null;
      const resolved =
        options.outcome !== undefined
          ? await client.proposeOrderManualOutcome({ orderId, outcome: options.outcome, reason: reason ?? '' })
          : await answer(await client.getOrder({ orderId }));
      await (options.json === true ? writeJson(io, resolved) : writeLine(io.stdout, renderOrder(resolved)));

      /** The proposal that is open now is meant, and no later one. */
      function answer({ manualOutcomes }: OrderDetail): Promise<OrderDetail> {
        const open = manualOutcomes.find(({ state }) => state === 'proposed');
        if (open === undefined)
          throw new WrongInput('the order has no open proposal: make one with --outcome and --reason');
        const { manualOutcomeId } = open;
        return options.confirm === true
          ? client.confirmOrderManualOutcome({ orderId, manualOutcomeId })
          : client.rejectOrderManualOutcome({ orderId, manualOutcomeId, reason });
      }
    });
}

function checkOptions({ outcome, reason, confirm, reject }: ResolveOptions): void {
  if ([outcome, confirm, reject].filter((choice) => choice !== undefined).length !== 1) {
    throw new WrongInput('give exactly one of --outcome, --confirm and --reject');
  }
  if (outcome !== undefined && (reason ?? '').trim() === '') {
    throw new WrongInput('--outcome needs a --reason: say how the outcome is known');
  }
}
