import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Pool } from 'pg';
import type { CommandIo } from '../../client/cli/command-io.ts';
import { readEnvironment } from '../../config/environment.ts';
import type { Demo } from '../../local/demo/demo.ts';
import { demoSubmission, putIntoSandbox } from '../../local/demo/demo-files.ts';
import { openDemoScreen } from '../../local/demo/demo-screen.ts';
import { type ExampleClients, exampleClients } from '../../local/demo/example-users.ts';
import { ONBOARDING_SANDBOX, playOnboarding } from '../../local/demo/play-onboarding.ts';
import { playTreasury } from '../../local/demo/play-treasury.ts';
import { TREASURY_SANDBOX } from '../../local/demo/treasury-script.ts';
import { waitForProposal } from '../../local/demo/wait-for-proposal.ts';
import { exampleLinks } from '../../local/sign-in-links.ts';
import { startStack } from '../../local/stack/start-stack.ts';
import { newFolderInMemory } from '../helpers/folder-in-memory.ts';

const EXAMPLES = join(import.meta.dirname, '..', '..', 'examples');
/** For the suppliers of the example, after the treasury's own demo. */
const MONEY = ['EUR', 'GBP', 'SGD', 'USD'].map((currency) => [currency, '200000.00'] as const);

/** All of payrun on this machine, with what `payrun demo` plays: treasury, onboarding and payments. */
export interface ExampleStack {
  url: string;
  clients: ExampleClients;
  database: Pool;
  /** A one-time link by login. */
  linkOf: (login: string) => Promise<string>;
  /** Paid but for two suspected duplicates; waiting for approval; the same with alarming findings. */
  runs: { paying: string; waiting: string; alarming: string };
  stop: () => Promise<void>;
}

export async function startExampleStack(report: (line: string) => void): Promise<ExampleStack> {
  const home = newFolderInMemory('examples');
  const variables = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => name === 'PAYRUN_TEMPORAL_CLI' || !/^(PAYRUN_|TEMPORAL_|DATABASE_)/.test(name),
    ),
  );
  const stack = await startStack({
    ...{ home, variables, report, anyHttpPort: true },
    environment: readEnvironment(variables),
    sandboxArguments: ['--seed', '7', ...TREASURY_SANDBOX, ...ONBOARDING_SANDBOX],
    onGaveUp: ({ name, reason }) => report(`${name} keeps crashing: ${reason}`),
  });
  const { serverUrl: url, sandboxUrl = '' } = stack.addresses;
  const database = new Pool({ connectionString: stack.ownerDatabaseUrl, max: 2 });
  // It may end before this.
  database.on('error', () => undefined);
  const stop = async (): Promise<void> => {
    await database.end();
    await stack.stop();
    rmSync(home, { recursive: true, force: true });
  };
  try {
    const io: CommandIo = { ...process, stdout: process.stderr, env: variables, cwd: home, isTty: false };
    const demo: Demo = {
      ...{ stack, io, screen: openDemoScreen(process.stderr) },
      options: { keep: false, json: true },
      signal: new AbortController().signal,
    };
    const runs = await playAll(demo, { sandboxUrl, url, ownerUrl: stack.ownerDatabaseUrl });
    const clients = await exampleClients(stack.ownerDatabaseUrl, url);
    const linkOf = async (login: string): Promise<string> => {
      const links = await exampleLinks(stack.ownerDatabaseUrl, url, Date.now);
      const found = links.find((link) => link.login === login);
      if (found === undefined) throw new Error(`there is no example user ${login}`);
      return found.url;
    };
    return { url, clients, database, linkOf, runs, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function playAll(
  demo: Demo,
  { sandboxUrl, url, ownerUrl }: { sandboxUrl: string; url: string; ownerUrl: string },
): Promise<ExampleStack['runs']> {
  await playTreasury(demo);
  for (const [currency, amount] of MONEY) await putIntoSandbox(sandboxUrl, currency, amount);
  await playOnboarding(demo);
  const { maker, checker, treasurer } = await exampleClients(ownerUrl, url);
  await treasurer.requestVirtualAccount({
    ...{ account: 'default', name: 'Customers Singapore', provider: 'bank', currency: 'SGD', type: 'open' },
    ...{ description: 'Invoices of customers in Singapore', amount: null, expiryDuration: null, approveAsync: false },
  });
  const paying = await payAll(maker, checker);
  await fillBook(maker, checker);
  // Nothing that a checker has to answer: what was paid to one of them before is far less than the example has.
  const waiting = await submit(maker, 'payroll.csv', (csv) => csv.replace('6120.00', '1620.00'));
  // The same suppliers with other references, and a changed account among them.
  const alarming = await submit(maker, 'supplier-payments.csv', (csv) =>
    csv.replaceAll('AP-2026-04', 'AP-2026-05').replace(/([^\n]*\n)((?:[^\n]*\n){12})[^]*/, '$1$2'),
  );
  return { paying, waiting, alarming };
}

/** A supplier with one account that was confirmed, and another one that waits; and one who is new. */
async function fillBook(maker: ExampleClients['maker'], checker: ExampleClients['checker']): Promise<void> {
  const account = {
    ...{ beneficiary_entity_type: 'company', beneficiary_country: 'DE', bank_country: 'DE', bank_currency: 'EUR' },
    ...{ bank_name: 'Commerzbank', bank_bic_swift: 'COBADEFFXXX' },
  };
  const nordlicht = {
    ...{ ...account, beneficiary_key: 'S-1042', beneficiary_company_name: 'Nordlicht Logistik GmbH' },
    bank_account_holder_name: 'Nordlicht Logistik GmbH',
  };
  const added = (...lines: object[]) =>
    maker.addBeneficiaries({ fileName: 'suppliers.json', file: JSON.stringify(lines) });
  await added({ ...nordlicht, bank_iban: 'DE89370400440532013000' });
  const { beneficiaries } = await checker.listBeneficiaries({ key: 'S-1042' });
  const called = { person: 'Ada Ledger', number: '+49 40 1234', numberFrom: 'the contract of 2024' };
  const accounts = beneficiaries.flatMap((each) => each.accounts).map(({ id, hash }) => ({ id, hash }));
  await checker.confirmBeneficiaries({ accounts, called, note: 'She read the IBAN back.' });
  const weber = { ...account, beneficiary_key: 'S-1043', beneficiary_company_name: 'Weber Druck KG' };
  await added(
    { ...nordlicht, bank_iban: 'DE75512108001245126199', bank_name: 'Société Générale', bank_bic_swift: 'SOGEDEFFXXX' },
    { ...weber, bank_account_holder_name: 'Weber Druck KG', bank_iban: 'DE12500105170648489890' },
  );
}

/** The suppliers of the example. Two rows were paid in pounds before, so that they are suspected duplicates and stay. */
async function payAll(maker: ExampleClients['maker'], checker: ExampleClients['checker']): Promise<string> {
  const { runId } = await maker.submitRun(await demoSubmission());
  const { proposal } = await waitForProposal(maker, runId);
  await checker.approveRun({ runId, contentHash: proposal?.contentHash ?? '', comment: 'demo' });
  for await (const run of maker.watchRun({ runId })) {
    const { paid = 0, rejected = 0, failed = 0, duplicate_suspect: held = 0 } = run.rows;
    if (paid + rejected + failed + held === run.rowCount) return runId;
  }
  return runId;
}

async function submit(
  maker: ExampleClients['maker'],
  fileName: string,
  change: (csv: string) => string,
): Promise<string> {
  const csv = Buffer.from(change(readFileSync(join(EXAMPLES, fileName), 'utf8')).replaceAll(/,[\w.-]+\.pdf/g, ','));
  const { runId } = await maker.submitRun({ fileName, file: csv });
  await waitForProposal(maker, runId);
  return runId;
}
