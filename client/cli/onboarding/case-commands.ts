import { type Command, InvalidArgumentError, Option } from 'commander';
import { CASE_STATES, type CaseState } from '../../../domain/onboarding/case-state.ts';
import { connectToChange } from '../acting-user.ts';
import { type CommandIo, writeJson, writeLine } from '../command-io.ts';
import { connect } from '../connection.ts';
import { examples } from '../help.ts';
import { words } from '../wording.ts';
import { renderCase } from './render-case.ts';
import { renderCases } from './render-cases.ts';
import { warnOfPauses } from './sign-up-commands.ts';

interface ListOptions {
  state?: CaseState;
  account?: string;
  limit: number;
  json?: boolean;
}

interface Json {
  json?: boolean;
}

const MAX_CASES = 200;

/** Lists, shows, withdraws and erases cases. */
export function addCaseCommands(onboard: Command, io: CommandIo): void {
  onboard
    .command('list')
    .description('list the latest cases')
    .addOption(new Option('--state <state>', 'only cases in this state').choices(CASE_STATES))
    .option('--account <name>', 'only cases of this account of the provider')
    .option('--limit <count>', `how many, at most ${MAX_CASES}`, caseCount, 50)
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun onboard list', 'payrun onboard list --state resubmission'))
    .action(async ({ state, account, limit, json }: ListOptions) => {
      const client = await connect(io);
      const page = await client.onboarding.list({ state: state ?? null, account: account ?? null, limit });
      await (json === true ? writeJson(io, page) : writeLine(io.stdout, renderCases(page)));
      await warnOfPauses(client, io);
    });

  onboard
    .command('show')
    .description(
      'show a case: what its state means, what is asked for, what was supplied and sent, and what to do next',
    )
    .argument('<case>', "the case's id")
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun onboard show CASE'))
    .action(async (caseId: string, { json }: Json) => {
      const detail = await (await connect(io)).onboarding.get(caseId);
      await (json === true ? writeJson(io, detail) : writeLine(io.stdout, renderCase(detail)));
    });

  addEndingCommands(onboard, io);
}

function addEndingCommands(onboard: Command, io: CommandIo): void {
  onboard
    .command('withdraw')
    .description('end a case that waits for you, or was not begun; a user whom the provider has already stays there')
    .argument('<case>', "the case's id")
    .option('--reason <text>', 'the reason, which others see')
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun onboard withdraw CASE --reason "no longer a customer"'))
    .action(async (caseId: string, { reason = null, json }: Json & { reason?: string | null }) => {
      const detail = await (await connectToChange(io)).onboarding.withdraw(caseId, reason);
      await (json === true
        ? writeJson(io, detail)
        : writeLine(io.stdout, `Withdrawn. ${inTheProvider(detail.userId)}`));
    });

  onboard
    .command('forget')
    .alias('erase')
    .description('destroy the personal data of an ended case, also in backups; the record of what happened stays')
    .argument('<case>', "the case's id")
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun onboard forget CASE'))
    .action(async (caseId: string, { json }: Json) => {
      const detail = await (await connectToChange(io)).onboarding.erase(caseId);
      await (json === true
        ? writeJson(io, detail)
        : writeLine(io.stdout, `Erased. The case is ${words(detail.state)}; the provider keeps what it has.`));
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
