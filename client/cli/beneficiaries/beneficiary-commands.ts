import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Beneficiary } from '../../../api/beneficiaries/endpoints.ts';
import type { CommandIo } from '../command-io.ts';
import { writeJson, writeLine } from '../command-io.ts';
import { connectToChange } from '../acting-user.ts';
import { connect } from '../connection.ts';
import { WrongInput } from '../exit-code.ts';
import { examples } from '../help.ts';
import { openPaymentFile, readProfile } from '../runs/input-files.ts';
import { save } from '../save-file.ts';
import { textTable } from '../text-table.ts';

interface Options {
  account?: string;
  json?: boolean;
}

interface ImportOptions {
  profile?: string;
  encoding?: string;
  sheet?: string;
}

const ACCOUNT = ['--account <name>', "the provider's account whose book it is"] as const;
const JSON_OPTION = ['--json', 'one JSON document on stdout'] as const;

export function addBeneficiaryCommands(program: Command, io: CommandIo): void {
  const book = program
    .command('beneficiaries')
    .description('the book of beneficiaries: their accounts, and who has confirmed them');
  addReadingCommands(book, io);
  addImportCommand(book, io);
  addConfirmCommand(book, io);
  addEndCommand(book, io);
}

function addReadingCommands(book: Command, io: CommandIo): void {
  book
    .command('list')
    .description('list beneficiaries, by their keys')
    .argument('[text]', 'the beginning of a key, words of a name, or the end of an account')
    .option(...ACCOUNT)
    .option('--proposed', 'only those with an account that waits for a confirmation')
    .option('--after <key>', 'the last key of the page before')
    .option(...JSON_OPTION)
    .addHelpText('after', examples('payrun beneficiaries list --proposed', 'payrun beneficiaries list Logistik'))
    .action(async (text: string | undefined, options: Options & { proposed?: boolean; after?: string }) => {
      const state = options.proposed === true ? ('proposed' as const) : null;
      const client = await connect(io);
      const answer = await client.listBeneficiaries({
        account: options.account ?? null,
        q: text ?? null,
        state,
        after: options.after ?? null,
        limit: 200,
      });
      await write(io, options, answer, answer.beneficiaries);
      if (answer.nextAfter !== null) await writeLine(io.stderr, `There are more: --after ${answer.nextAfter}`);
    });

  book
    .command('show')
    .description('show a beneficiary with its accounts and what was paid to them')
    .argument('<key>', 'its key')
    .option(...ACCOUNT)
    .option(...JSON_OPTION)
    .addHelpText('after', examples('payrun beneficiaries show S-1042'))
    .action(async (key: string, options: Options) => {
      const answer = await (await connect(io)).listBeneficiaries({ account: options.account ?? null, key });
      if (answer.beneficiaries.length === 0) throw new WrongInput('the book has nobody with this key');
      await write(io, options, answer, answer.beneficiaries);
      if (options.json !== true) await writeColumns(io, answer.beneficiaries);
    });

  book
    .command('export')
    .description('write the accounts that are not ended to a CSV, which can be imported')
    .option(...ACCOUNT)
    .requiredOption('-o, --output <file>', 'where it is written')
    .addHelpText('after', examples('payrun beneficiaries export -o book.csv'))
    .action(async ({ account, output }: Options & { output: string }) => {
      const lines = (await connect(io)).exportBeneficiaries({ account: account ?? null });
      await save(lines, resolve(io.cwd, output), { mayReplace: false });
      await writeLine(io.stderr, `Written to ${output}: it has personal data.`);
    });
}

function addImportCommand(book: Command, io: CommandIo): void {
  book
    .command('import')
    .alias('add')
    .description('add the accounts of a sheet; a second person confirms them')
    .argument(
      '<file>',
      'CSV or XLSX, with beneficiary_key, bank_currency and the beneficiary and bank columns of a payment file, or others',
    )
    .option(...ACCOUNT)
    .option('--profile <file>', 'how it is read, as payrun prepare --for-book wrote it')
    .option('--encoding <name>', 'of the file, such as windows-1252')
    .option('--sheet <name>', 'of a workbook with several sheets')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      examples(
        'payrun beneficiaries import book.csv',
        'payrun beneficiaries import lieferanten.xlsx --profile lieferanten.profile.json',
      ),
    )
    .action(async (file: string, { account, json, profile, encoding, sheet }: Options & ImportOptions) => {
      const given = await openPaymentFile(io.cwd, file);
      const reading = {
        ...(encoding === undefined ? {} : { encoding }),
        ...(sheet === undefined ? {} : { sheetName: sheet }),
      };
      const client = await connectToChange(io);
      const answer = await client.addBeneficiaries({
        ...{ ...given, account: account ?? null, reading },
        ...(profile === undefined ? {} : { profile: await readProfile(io.cwd, profile) }),
      });
      const told = `${answer.added} added, ${answer.known} known already. A second person confirms: payrun beneficiaries list --proposed`;
      await (json === true ? writeJson(io, answer) : writeLine(io.stdout, told));
    });
}

function addConfirmCommand(book: Command, io: CommandIo): void {
  book
    .command('confirm')
    .description('confirm accounts of a beneficiary that someone else added; rows that they held are released')
    .argument('<key>', 'the key of the beneficiary')
    .argument('<ids...>', 'the ids of the accounts, as `payrun beneficiaries show` has shown them')
    .option(...ACCOUNT)
    .requiredOption('--note <text>', 'what was compared')
    .option('--called <person>', 'whom you called')
    .option('--number <number>', 'at which number')
    .option('--number-from <text>', 'where the number was known from before')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      examples(
        'payrun beneficiaries confirm S-1042 ID --called "Ada Ledger" --number "+49 40 1234" --number-from "contract of 2024" --note "read the IBAN back"',
      ),
    )
    .action(async (key: string, ids: string[], options: ConfirmOptions) => {
      const client = await connectToChange(io);
      const account = options.account ?? null;
      const { beneficiaries } = await client.listBeneficiaries({ account, key });
      const accounts = beneficiaries
        .flatMap((each) => each.accounts)
        .filter(({ id, state }) => ids.includes(id) && state === 'proposed')
        .map(({ id, hash }) => ({ id, hash }));
      if (accounts.length !== new Set(ids).size) {
        throw new WrongInput('not all of these accounts wait for a confirmation: look at the beneficiary again');
      }
      const answer = await client.confirmBeneficiaries({
        account,
        accounts,
        called: calledOf(options),
        note: options.note,
      });
      const told = `${answer.confirmed} confirmed, ${answer.released} rows released`;
      await (options.json === true ? writeJson(io, answer) : writeLine(io.stdout, told));
    });
}

function addEndCommand(book: Command, io: CommandIo): void {
  book
    .command('end')
    .description('end an account, or reject a proposed one; its id is shown by `payrun beneficiaries show`')
    .argument('<ids...>', 'the ids of the accounts')
    .option(...ACCOUNT)
    .option('--reason <text>', 'the reason, which others see')
    .option(...JSON_OPTION)
    .addHelpText('after', examples('payrun beneficiaries end ID --reason "the supplier has another bank"'))
    .action(async (ids: string[], { account, reason, json }: Options & { reason?: string }) => {
      const client = await connectToChange(io);
      const answer = await client.endBeneficiaries({ account: account ?? null, ids, reason: reason ?? null });
      await (json === true ? writeJson(io, answer) : writeLine(io.stdout, `${answer.ended} ended`));
    });
}

interface ConfirmOptions extends Options {
  note: string;
  called?: string;
  number?: string;
  numberFrom?: string;
}

function calledOf({ called, number, numberFrom }: ConfirmOptions) {
  if (called === undefined && number === undefined && numberFrom === undefined) return null;
  if (called === undefined || number === undefined || numberFrom === undefined) {
    throw new WrongInput('a call needs --called, --number and --number-from');
  }
  return { person: called, number, numberFrom };
}

/** All that decides where the money goes, of each account. */
async function writeColumns(io: CommandIo, found: readonly Beneficiary[]): Promise<void> {
  for (const { id, state, columns } of found.flatMap(({ accounts }) => accounts)) {
    await writeLine(io.stdout, `\n${id} (${state})`);
    for (const [name, value] of Object.entries(columns ?? {})) await writeLine(io.stdout, `  ${name}: ${value}`);
  }
}

async function write(io: CommandIo, { json }: Options, answer: unknown, found: readonly Beneficiary[]): Promise<void> {
  if (json === true) return writeJson(io, answer);
  const rows = found.flatMap(({ key, names, accounts }) =>
    accounts.map((each) => {
      const { bank_iban: iban, bank_account_number: number, bank_account_holder_name: holder } = each.columns ?? {};
      const paid = each.paid[0];
      const last = paid === undefined ? '' : `${paid.lastAmount} ${paid.currency} (usual ${paid.usualAmount})`;
      return [
        key,
        names[0] ?? '',
        holder ?? '',
        iban ?? number ?? '',
        each.currency,
        each.state,
        each.confirmedBy?.name ?? '',
        last,
        each.id,
      ];
    }),
  );
  const titles = ['key', 'name', 'holder', 'account', 'currency', 'state', 'confirmed by', 'last paid', 'id'];
  await writeLine(
    io.stdout,
    textTable(
      titles.map((title) => ({ title, maxWidth: 40 })),
      rows,
    ),
  );
}
