import type { Command } from 'commander';
import { printEntries } from '../audit/audit-commands.ts';
import type { CommandIo } from '../command-io.ts';
import { connect } from '../connection.ts';
import { examples } from '../help.ts';
import { CASE_ARGUMENT, caseNamed } from './named-case.ts';

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
