import type { Command } from 'commander';
import type { CaseDetail } from '../../sdk/index.ts';
import { connectToChange } from '../acting-user.ts';
import { type CommandIo, writeJson, writeLine } from '../command-io.ts';
import { expectConfirmed } from '../confirm.ts';
import { examples } from '../help.ts';
import { printable } from '../printable.ts';
import { moment } from '../wording.ts';
import { CASE_ARGUMENT, caseNamed } from './named-case.ts';

/** Shows whose data it is about to erase, and asks. */
export function addForgetCommand(onboard: Command, io: CommandIo): void {
  onboard
    .command('erase')
    .alias('forget')
    .description(
      'erase the personal data of an ended case for good, also in backups; the record of what happened stays',
    )
    .argument(...CASE_ARGUMENT)
    .option('--yes', 'do not ask: for scripts')
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun onboard erase CASE', 'payrun onboard erase CASE --yes'))
    .action(async (given: string, { yes = false, json = false }: { yes?: boolean; json?: boolean }) => {
      const client = await connectToChange(io);
      const detail = await client.getCase({ caseId: await caseNamed(client, given), values: false });
      await writeLine(io.stderr, describe(detail));
      if (!yes) await expectConfirmed(io, `Erase the personal data of ${detail.applicantRef} for good?`);
      const erased = await client.eraseCase({ caseId: detail.caseId });
      const done = `The personal data of ${detail.applicantRef} is erased. The provider keeps what it has.`;
      await (json ? writeJson(io, erased) : writeLine(io.stdout, printable(done)));
    });
}

function describe({ caseId, applicantRef, accountType, account, state, changedAt }: CaseDetail): string {
  return printable(
    `Applicant ${applicantRef} (${accountType}) on ${account}, ${state} since ${moment(changedAt)}: case ${caseId}`,
  );
}
