import type { Command } from 'commander';
import type { AuditReport } from '../../engine/audit-api.ts';
import type { CommandIo } from '../command-io.ts';
import { write, writeJson, writeLine } from '../command-io.ts';
import { connect } from '../connection.ts';
import { AuditBroken, WrongInput } from '../exit-code.ts';
import { printable } from '../printable.ts';
import { AUDIT_TITLE, auditLine, describeBreak, renderAuditReport } from '../render-audit.ts';

interface TrailOptions {
  row?: string;
  json?: boolean;
}

export function addAuditCommands(program: Command, io: CommandIo): void {
  const audit = program
    .command('audit')
    .description('what happened to a run or to one of its rows: when, by whom, with what outcome')
    .argument('<run>', "the run's id")
    .option('--row <reference>', 'only what concerns the row of this reference')
    .option('--json', 'one JSON document on stdout')
    .action((runId: string, options: TrailOptions) => tellTrail(runId, options, io));

  audit
    .command('verify')
    .description('recompute the chain over the whole audit trail: nothing removed, altered, inserted or reordered')
    .option('--head <position:hash>', 'a head that was noted earlier, which must still be in the chain')
    .option('--json', 'one JSON document on stdout')
    .action(async (_options: unknown, command: Command) => {
      // The parent knows --json as well, and takes it first.
      const { head = null, json } = command.optsWithGlobals<{ head?: string | null; json?: boolean }>();
      const report = await (await connect(io)).verifyAudit(head);
      await (json === true ? writeJson(io, report) : writeLine(io.stdout, renderAuditReport(report, head)));
      expectUnbroken(report);
    });
}

function expectUnbroken({ broken }: AuditReport): void {
  if (broken !== null) throw new AuditBroken(`the audit trail is broken: ${describeBreak(broken)}`);
}

/** Line by line as it comes, so that the trail of a large run never piles up in memory. */
async function tellTrail(runId: string, { row, json }: TrailOptions, io: CommandIo): Promise<void> {
  const entries = (await connect(io)).listAudit(runId, { rowRef: row ?? null });
  let told = 0;
  for await (const entry of entries) {
    if (json === true) {
      const begin = told === 0 ? `{"runId":${JSON.stringify(runId)},"entries":[` : ',';
      await write(io.stdout, begin + JSON.stringify(entry));
    } else {
      if (told === 0) await writeLine(io.stdout, AUDIT_TITLE);
      await writeLine(io.stdout, auditLine(entry));
    }
    told += 1;
  }
  if (told === 0 && row !== undefined) {
    throw new WrongInput(`run ${runId} has nothing on a row ${printable(row)}: see 'payrun show ${runId} --rows'`);
  }
  if (json === true) await write(io.stdout, told === 0 ? `{"runId":${JSON.stringify(runId)},"entries":[]}\n` : ']}\n');
}
