import { type Command, Option } from 'commander';
import type { BreakSummary, PayrunClient } from '../../sdk/index.ts';
import { connectToChange } from '../acting-user.ts';
import { type CommandIo, writeJson, writeLine } from '../command-io.ts';
import { connect } from '../connection.ts';
import { WrongInput } from '../exit-code.ts';
import { examples } from '../help.ts';
import { printable } from '../printable.ts';
import { textTable } from '../text-table.ts';
import { duration, money, words } from '../wording.ts';

const STATES = ['unresolved', 'open', 'explained', 'closed', 'no_longer_found', 'all'] as const;

interface BreakFilter {
  account?: string;
  from?: string;
  to?: string;
  state: (typeof STATES)[number];
  json?: boolean;
}

interface Json {
  json?: boolean;
}

const JSON_OPTION = ['--json', 'one JSON document on stdout'] as const;
const BREAK = ['<break>', 'its id, or the beginning of it'] as const;

/** `breaks`, and what two people do with one. */
export function addBreakCommands(reconcile: Command, io: CommandIo): void {
  reconcile
    .command('breaks')
    .description('list the differences, the oldest first')
    .option('--account <name>', 'only of this account of the provider')
    .option('--from <day>', 'only of this day on (UTC, 2026-01-31)')
    .option('--to <day>', 'only up to this day')
    .addOption(new Option('--state <state>', 'which').choices(STATES).default('unresolved'))
    .option(...JSON_OPTION)
    .addHelpText('after', examples('payrun reconcile breaks', 'payrun reconcile breaks --state all --from 2026-01-01'))
    .action(async (_options: BreakFilter, command: Command) => {
      const { account, from, to, state, json } = command.optsWithGlobals<BreakFilter>();
      const filter = { account: account ?? null, from: from ?? null, to: to ?? null, state };
      const list = await (await connect(io)).listBreaks(filter);
      await (json === true ? writeJson(io, list) : writeLine(io.stdout, renderBreaks(list.breaks)));
    });

  reconcile
    .command('assign')
    .description('make somebody responsible for explaining a break')
    .argument(...BREAK)
    .argument('<login>', 'the login of a maker or checker')
    .option(...JSON_OPTION)
    .addHelpText('after', examples('payrun reconcile assign 018f2a00 eve'))
    .action((id: string, login: string, _options: Json, command: Command) =>
      change(io, id, command.optsWithGlobals<Json>(), (client, breakId) => client.assignBreak({ breakId, login })),
    );

  reconcile
    .command('explain')
    .description('say why there is a difference: the first of the two people who close a break')
    .argument(...BREAK)
    .requiredOption('--reason <text>', 'the explanation, which others see')
    .option(...JSON_OPTION)
    .addHelpText('after', examples('payrun reconcile explain 018f2a00 --reason "bank charge of 5 January"'))
    .action((id: string, options: { reason: string }, command: Command) =>
      change(io, id, command.optsWithGlobals<Json>(), (client, breakId) =>
        client.explainBreak({ breakId, reason: options.reason }),
      ),
    );

  addClosingCommands(reconcile, io);
}

function addClosingCommands(reconcile: Command, io: CommandIo): void {
  reconcile
    .command('close-break')
    .description('accept the explanation of a break: the second person, a checker')
    .argument(...BREAK)
    .option(...JSON_OPTION)
    .addHelpText('after', examples('payrun reconcile close-break 018f2a00'))
    .action((id: string, _options: Json, command: Command) =>
      change(io, id, command.optsWithGlobals<Json>(), (client, breakId, { explanationId }) => {
        if (explanationId === null) {
          throw new WrongInput('the break is not explained yet: payrun reconcile explain BREAK --reason TEXT');
        }
        return client.closeBreak({ breakId, explanationId });
      }),
    );

  reconcile
    .command('reopen-break')
    .description('refuse the explanation of a break, or take back your own')
    .argument(...BREAK)
    .option('--reason <text>', 'the reason, which others see')
    .option(...JSON_OPTION)
    .addHelpText('after', examples('payrun reconcile reopen-break 018f2a00 --reason "the charge was in December"'))
    .action((id: string, options: { reason?: string }, command: Command) =>
      change(io, id, command.optsWithGlobals<Json>(), (client, breakId) =>
        client.reopenBreak({ breakId, reason: options.reason ?? null }),
      ),
    );
}

async function change(
  io: CommandIo,
  id: string,
  { json }: Json,
  act: (client: PayrunClient, breakId: string, seen: BreakSummary) => Promise<BreakSummary>,
): Promise<void> {
  const client = await connectToChange(io);
  const seen = await breakNamed(client, id);
  const afterwards = await act(client, seen.breakId, seen);
  await (json === true ? writeJson(io, afterwards) : writeLine(io.stdout, renderBreak(afterwards)));
}

async function breakNamed(client: PayrunClient, id: string): Promise<BreakSummary> {
  const { breaks } = await client.listBreaks({ state: 'all' });
  const found = breaks.filter(({ breakId }) => breakId.startsWith(id.toLowerCase()));
  const [only, ...others] = found;
  if (only === undefined) throw new WrongInput(`there is no break ${id}: see 'payrun reconcile breaks'`);
  if (others.length > 0) throw new WrongInput(`several breaks begin with ${id}: give more of the id`);
  return only;
}

const SHORT_ID = 8;

/** A line for each break, the oldest first. */
function renderBreaks(breaks: readonly BreakSummary[]): string {
  if (breaks.length === 0) return 'There are no such breaks.';
  return textTable(
    [
      { title: 'Break' },
      { title: 'Day (UTC)' },
      { title: 'Account', maxWidth: 20 },
      { title: 'Type' },
      { title: 'Currency' },
      { title: 'Expected', align: 'right' },
      { title: 'Found', align: 'right' },
      { title: 'Age' },
      { title: 'Owner', maxWidth: 20 },
      { title: 'State', maxWidth: 40 },
    ],
    breaks.map((one) => [
      one.breakId.slice(0, SHORT_ID),
      one.day,
      one.account,
      words(one.type),
      one.currency,
      one.expected === null ? '' : money(one.expected),
      one.found === null ? '' : money(one.found),
      duration(one.ageSeconds),
      one.owner?.name ?? '',
      stateOf(one),
    ]),
  );
}

/** One break, with its reason, and what is to be done next. */
function renderBreak(one: BreakSummary): string {
  const lines = [
    `${one.breakId}: ${words(one.type)} of ${one.day}, ${stateOf(one)}`,
    one.reason,
    ...(one.owner === null ? [] : [`Owner: ${one.owner.name}`]),
    ...(one.explanation === null ? [] : [`Explanation: ${one.explanation}`]),
    ...(one.state === 'explained'
      ? [`Another person, a checker: payrun reconcile close-break ${one.breakId.slice(0, SHORT_ID)}`]
      : []),
  ];
  return lines.map(printable).join('\n');
}

function stateOf({ state, explainedBy, closedBy }: BreakSummary): string {
  if (state === 'closed') return `closed by ${closedBy?.name ?? ''}`;
  return state === 'explained' ? `explained by ${explainedBy?.name ?? ''}` : words(state);
}
