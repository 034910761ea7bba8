import { type Command, Option } from 'commander';
import { VIRTUAL_ACCOUNT_STATE_TABLE } from '../../../domain/accounts/virtual-account-state.ts';
import { VIRTUAL_ACCOUNT_OUTCOMES, type VirtualAccount, type VirtualAccountRequest } from '../../sdk/index.ts';
import { type CommandIo, writeJson, writeLine } from '../command-io.ts';
import { connect } from '../connection.ts';
import { WrongInput } from '../exit-code.ts';
import { examples } from '../help.ts';
import { textTable } from '../text-table.ts';
import { moment, stateLines, words } from '../wording.ts';
import { ACCOUNT, JSON_OPTION, lineCount } from './account-options.ts';

interface RequestOptions {
  account: string;
  provider: string;
  currency: string;
  description: string;
  type: VirtualAccountRequest['type'];
  amount?: string;
  expiry?: string;
  async?: boolean;
  json?: boolean;
}

interface ResolveOptions {
  outcome?: (typeof VIRTUAL_ACCOUNT_OUTCOMES)[number];
  number?: string;
  requestId?: string;
  reason?: string;
  confirm?: boolean;
  reject?: boolean;
  json?: boolean;
}

const ID = ['<id>', "payrun's id of the virtual account"] as const;

/** Virtual accounts: asked for by a treasurer, approved by the provider, moved by reads or by two people. */
export function addVirtualCommands(accounts: Command, io: CommandIo): void {
  const virtual = accounts
    .command('virtual')
    .description('accounts that others pay into, on your name with the provider');
  const show = (one: VirtualAccount, asJson: boolean | undefined): Promise<void> =>
    asJson === true ? writeJson(io, one) : writeLine(io.stdout, describeVirtualAccount(one));

  virtual
    .command('list')
    .description('list virtual accounts, the newest first')
    .option(...ACCOUNT)
    .option('--limit <count>', 'how many, at most 1000', lineCount, 100)
    .option(...JSON_OPTION)
    .addHelpText('after', examples('payrun accounts virtual list'))
    .action(async ({ account, limit, json }: { account?: string; limit: number; json?: boolean }) => {
      const list = await (await connect(io)).listVirtualAccounts({ account: account ?? null, limit });
      await (json === true
        ? writeJson(io, list)
        : writeLine(io.stdout, renderVirtualAccounts(list.virtualAccounts, list.hasMore)));
    });

  virtual
    .command('show')
    .description('show one, with its number once it is approved')
    .argument(...ID)
    .option(...JSON_OPTION)
    .addHelpText('after', examples('payrun accounts virtual show ID'))
    .action(async (id: string, { json }: { json?: boolean }) =>
      show(await (await connect(io)).findVirtualAccount({ virtualAccountId: id }), json),
    );

  addRequest(virtual, io, show);
  addResolve(virtual, io, show);
}

type Show = (one: VirtualAccount, asJson: boolean | undefined) => Promise<void>;

function addRequest(virtual: Command, io: CommandIo, show: Show): void {
  virtual
    .command('request')
    .description('ask the provider for a virtual account')
    .argument('<name>', 'its name: letters, digits and spaces; the provider gets it with a tag')
    .option('--account <name>', 'the account of the provider', 'default')
    .requiredOption('--provider <code>', "the provider's code of the bank")
    .requiredOption('--currency <code>', 'its currency')
    .requiredOption('--description <text>', 'what it is for')
    .addOption(new Option('--type <type>', 'open, or fixed to an amount').choices(['open', 'fixed']).default('open'))
    .option('--amount <amount>', 'with --type fixed: the amount')
    .option('--expiry <duration>', "with --type fixed: 1 to 48, in the provider's unit")
    .option('--async', 'the number is issued later')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      examples(
        'payrun accounts virtual request "Sales Europe" --provider CODE --currency EUR --description "customers pay here"',
      ),
    )
    .action(async (name: string, options: RequestOptions) => {
      const { account, provider, currency, description, type, amount, expiry, json } = options;
      const expiryDuration = expiry === undefined ? null : Number(expiry);
      const order = { account, name, provider, currency, description, type, amount: amount ?? null, expiryDuration };
      const approveAsync = options.async === true;
      await show(await (await connect(io)).requestVirtualAccount({ ...order, approveAsync }), json);
    });
}

function addResolve(virtual: Command, io: CommandIo, show: Show): void {
  virtual
    .command('resolve')
    .description('say what became of a request, by two people: one proposes it, another one confirms or rejects it')
    .argument(...ID)
    .addOption(new Option('--outcome <outcome>', 'propose this').choices(VIRTUAL_ACCOUNT_OUTCOMES))
    .option('--number <number>', 'with --outcome approved: as the provider shows it')
    .option('--request-id <id>', "the provider's id of the request, if payrun does not know it")
    .option('--reason <text>', 'how it is known; required with --outcome')
    .option('--confirm', 'confirm the open proposal')
    .option('--reject', 'reject the open proposal, or withdraw your own')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      examples(
        'payrun accounts virtual resolve ID --outcome approved --number 8800123456789012 --reason "seen on the dashboard"',
        'payrun accounts virtual resolve ID --outcome never_created --reason "the provider has no such name"',
        'payrun accounts virtual resolve ID --confirm',
      ),
    )
    .action(async (virtualAccountId: string, options: ResolveOptions) => {
      const { outcome, number, requestId, reason, confirm, reject, json } = options;
      if ([outcome, confirm, reject].filter((choice) => choice !== undefined).length !== 1) {
        throw new WrongInput('give exactly one of --outcome, --confirm and --reject');
      }
      const client = await connect(io);
      if (outcome !== undefined) {
        if (reason === undefined) throw new WrongInput('--outcome needs a --reason: say how it is known');
        const proposal = { outcome, number: number ?? null, requestId: requestId ?? null, reason };
        return show(await client.proposeVirtualAccountManualOutcome({ virtualAccountId, ...proposal }), json);
      }
      const open = (await client.findVirtualAccount({ virtualAccountId })).manualOutcomes.find(
        ({ state }) => state === 'proposed',
      );
      if (open === undefined) throw new WrongInput('there is no open proposal');
      const { manualOutcomeId } = open;
      return show(
        confirm === true
          ? await client.confirmVirtualAccountManualOutcome({ virtualAccountId, manualOutcomeId })
          : await client.rejectVirtualAccountManualOutcome({
              virtualAccountId,
              manualOutcomeId,
              reason: reason ?? null,
            }),
        json,
      );
    });
}

function renderVirtualAccounts(accounts: readonly VirtualAccount[], hasMore: boolean): string {
  if (accounts.length === 0) return 'There are no virtual accounts.';
  const table = textTable(
    [
      { title: 'Id' },
      { title: 'Account', maxWidth: 20 },
      { title: 'Name', maxWidth: 40 },
      { title: 'Currency' },
      { title: 'State' },
      { title: 'Number' },
    ],
    accounts.map((one) => [
      one.virtualAccountId,
      one.account,
      one.name,
      one.currency,
      words(one.state),
      one.number ?? '',
    ]),
  );
  return hasMore ? `${table}\n… and older ones: --limit shows more` : table;
}

function describeVirtualAccount(one: VirtualAccount): string {
  const open = one.manualOutcomes.find(({ state }) => state === 'proposed');
  return [
    `${one.name} (${one.currency}) is ${words(one.state)}${one.stateReason === null ? '' : `: ${words(one.stateReason)}`}`,
    ...stateLines(VIRTUAL_ACCOUNT_STATE_TABLE[one.state]).map((line) => `  ${line}`),
    `  id          ${one.virtualAccountId}`,
    `  sent as     ${one.sentName}`,
    `  request     ${one.requestId ?? 'not known'}`,
    `  number      ${one.number ?? (one.state === 'approved' ? 'not issued, or not for your roles' : 'not before it is approved')}`,
    `  asked for   by ${one.requestedBy.name} on ${moment(one.requestedAt)}`,
    ...(open === undefined
      ? []
      : [
          `  proposed    ${words(open.outcome)}${open.number === null ? '' : ` with number ${open.number}`} by ${open.proposedBy.name}: ${open.reason ?? '(erased)'}`,
        ]),
  ].join('\n');
}
