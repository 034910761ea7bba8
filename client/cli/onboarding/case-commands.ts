import { type Command, InvalidArgumentError, Option } from 'commander';
import { CASE_STATES, type CaseState } from '../../../domain/onboarding/case-state.ts';
import type { CaseDetail } from '../../sdk/index.ts';
import { connectToChange } from '../acting-user.ts';
import { printEntries } from '../audit/audit-commands.ts';
import { type CommandIo, writeJson, writeLine } from '../command-io.ts';
import { expectConfirmed } from '../confirm.ts';
import { connect } from '../connection.ts';
import { examples } from '../help.ts';
import { printable } from '../printable.ts';
import { renderDoneOrChange } from '../users/render-users.ts';
import { moment } from '../wording.ts';
import { CASE_ARGUMENT, caseNamed, listCases } from './named-case.ts';
import { renderCase } from './render-case.ts';
import { renderCases } from './render-cases.ts';
import { besidePauses, renderHolds } from './render-holds.ts';
import { warnOfPauses } from './sign-up-commands.ts';

interface ListOptions {
  state?: CaseState;
  account?: string;
  ref?: string;
  limit: number;
  json?: boolean;
}

interface Json {
  json?: boolean;
}

const MAX_CASES = 1_000_000;

/** Lists, shows and withdraws cases. */
export function addCaseCommands(onboard: Command, io: CommandIo): void {
  onboard
    .command('list')
    .description('list the latest cases, and how many there are in each state')
    .addOption(new Option('--state <state>', 'only cases in this state').choices(CASE_STATES))
    .option('--account <name>', 'only cases of this account of the provider')
    .option('--ref <reference>', 'only the case of this applicant_ref')
    .option('--limit <count>', 'how many', caseCount, 50)
    .option('--json', 'one JSON document on stdout')
    .addHelpText(
      'after',
      examples('payrun onboard list', 'payrun onboard list --state resubmission', 'payrun onboard list --limit 2000'),
    )
    .action(async ({ state, account, ref, limit, json }: ListOptions) => {
      const client = await connect(io);
      const filter = { state: state ?? null, account: account ?? null, ref: ref ?? null };
      const page = await listCases(client, { ...filter, limit });
      await (json === true ? writeJson(io, page) : writeLine(io.stdout, renderCases(page, filter.state)));
      const holds = besidePauses(page.holds);
      if (holds.length > 0) await writeLine(io.stderr, renderHolds(holds));
      await warnOfPauses(client, io);
    });

  onboard
    .command('show')
    .description(
      'show a case: what its state means, what is asked for, what was supplied and sent, and what to do next',
    )
    .argument(...CASE_ARGUMENT)
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun onboard show CASE', 'payrun onboard show 2026-0412'))
    .action(async (given: string, { json }: Json) => {
      const client = await connect(io);
      const detail = await client.getCase({ caseId: await caseNamed(client, given) });
      await (json === true ? writeJson(io, detail) : writeLine(io.stdout, renderCase(detail)));
    });

  addEndingCommands(onboard, io);
}

function addEndingCommands(onboard: Command, io: CommandIo): void {
  onboard
    .command('withdraw')
    .description('end a case that waits for you or has not started; the provider keeps a user it already has')
    .argument(...CASE_ARGUMENT)
    .option('--reason <text>', 'the reason, which others see')
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun onboard withdraw CASE --reason "no longer a customer"'))
    .action(async (given: string, { reason = null, json }: Json & { reason?: string | null }) => {
      const client = await connectToChange(io);
      const detail = await client.withdrawCase({ caseId: await caseNamed(client, given), reason });
      await (json === true
        ? writeJson(io, detail)
        : writeLine(io.stdout, `Withdrawn. ${inTheProvider(detail.userId)}`));
    });
}

function inTheProvider(userId: string | null): string {
  return userId === null
    ? 'The provider has no user of this case.'
    : 'The provider still has the user: ask it, if they are to be removed there.';
}

function caseCount(text: string): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > MAX_CASES) throw new InvalidArgumentError(`Give a number from 1 to ${MAX_CASES}.`);
  return number;
}

export function addHistoryCommand(onboard: Command, io: CommandIo): void {
  onboard
    .command('history')
    .description('list what happened to a case: when, by whom, the outcome, and each reminder')
    .argument(...CASE_ARGUMENT)
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun onboard history CASE'))
    .action(async (given: string, { json }: { json?: boolean }) => {
      const client = await connect(io);
      const caseId = await caseNamed(client, given);
      const head = `{"caseId":${JSON.stringify(caseId)},`;
      await printEntries(client.eachCaseAuditEntry({ caseId }), { json: json === true, head }, io);
    });
}

/** Shows whose data it proposes to erase, and asks. */
export function addForgetCommand(onboard: Command, io: CommandIo): void {
  onboard
    .command('erase')
    .alias('forget')
    .description(
      'propose to erase the personal data of an ended case for good, also in backups; the record of what happened stays',
    )
    .argument(...CASE_ARGUMENT)
    .option('--yes', 'do not ask: for scripts')
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun onboard erase CASE', 'payrun onboard erase CASE --yes'))
    .action(async (given: string, { yes = false, json = false }: { yes?: boolean; json?: boolean }) => {
      const client = await connectToChange(io);
      const detail = await client.getCase({ caseId: await caseNamed(client, given), values: false });
      await writeLine(io.stderr, describe(detail));
      const what = `the personal data of ${detail.applicantRef}`;
      if (!yes) await expectConfirmed(io, `Propose to erase ${what} for good?`);
      const { change } = await client.eraseCase({ caseId: detail.caseId });
      const done = renderDoneOrChange(change, `Erased ${what}. The provider keeps what it has.`);
      await (json ? writeJson(io, { caseId: detail.caseId, change }) : writeLine(io.stdout, printable(done)));
    });
}

function describe({ caseId, applicantRef, accountType, account, state, changedAt }: CaseDetail): string {
  return printable(
    `Applicant ${applicantRef} (${accountType}) on ${account}, ${state} since ${moment(changedAt)}: case ${caseId}`,
  );
}
