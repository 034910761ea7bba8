import type { Command } from 'commander';
import type { AuditEntrySummary, AuditReport } from '../../../application/audit/audit-api.ts';
import { connectToChange } from '../acting-user.ts';
import type { CommandIo } from '../command-io.ts';
import { write, writeJson, writeLine } from '../command-io.ts';
import { connect } from '../connection.ts';
import { AuditBroken, WrongInput } from '../exit-code.ts';
import { printable } from '../printable.ts';
import { AUDIT_TITLE, auditLine, describeBreak, renderAuditReport } from './render-audit.ts';

interface TrailOptions {
  row?: string;
  kind?: string;
  from?: string;
  json?: boolean;
}

export function addAuditCommands(program: Command, io: CommandIo): void {
  addRemarkCommand(program, io);
  const audit = program
    .command('audit')
    .description(
      'what happened, when, by whom, with what outcome: to a run, to one of its rows, or to users, policy and stops',
    )
    .argument('[run]', "the run's id; without it, what belongs to no run")
    .option('--row <reference>', 'only what concerns the row of this reference')
    .option('--kind <kind>', 'without a run: only this kind, as --json names it')
    .option('--from <time>', 'without a run: only since then, as 2026-01-31 or 2026-01-31T12:00:00Z')
    .option('--json', 'one JSON document on stdout')
    .action((runId: string | undefined, options: TrailOptions) =>
      runId === undefined ? tellGlobalTrail(options, io) : tellTrail(runId, options, io),
    );

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

function addRemarkCommand(program: Command, io: CommandIo): void {
  program
    .command('remarks')
    .description('what people wrote with their decisions')
    .command('erase')
    .description('take away what somebody wrote; the audit trail keeps a hash of it')
    .argument('<remark>', "the remark's id, as audit gives it")
    .option('--json', 'one JSON document on stdout')
    .action(async (remarkId: string, { json }: { json?: boolean }) => {
      await (await connectToChange(io)).eraseRemark(remarkId);
      const done = `Erased ${printable(remarkId)}.`;
      await (json === true ? writeJson(io, { remarkId, erased: true }) : writeLine(io.stdout, done));
    });
}

function expectUnbroken({ broken }: AuditReport): void {
  if (broken !== null) throw new AuditBroken(`the audit trail is broken: ${describeBreak(broken)}`);
}

async function tellGlobalTrail({ row, kind, from, json }: TrailOptions, io: CommandIo): Promise<void> {
  if (row !== undefined) throw new WrongInput('--row belongs to a run: name the run');
  const entries = (await connect(io)).listGlobalAudit({
    kind: kind ?? null,
    from: from === undefined ? null : instantOf(from),
  });
  const told = await tell(entries, { json: json === true, head: '{' }, io);
  if (told === 0 && json !== true) await writeLine(io.stdout, 'There is nothing.');
}

function instantOf(text: string): string {
  const instant = /^\d{4}-\d{2}-\d{2}/.test(text) ? new Date(text) : new Date(Number.NaN);
  if (Number.isNaN(instant.getTime())) throw new WrongInput('--from: give a day or a time, as 2026-01-31');
  return instant.toISOString();
}

async function tellTrail(runId: string, { row, kind, from, json }: TrailOptions, io: CommandIo): Promise<void> {
  if (kind !== undefined || from !== undefined)
    throw new WrongInput('--kind and --from are for the trail without a run');
  const entries = (await connect(io)).listAudit(runId, { rowRef: row ?? null });
  const told = await tell(entries, { json: json === true, head: `{"runId":${JSON.stringify(runId)},` }, io);
  if (told === 0 && row !== undefined) {
    throw new WrongInput(`run ${runId} has nothing on a row ${printable(row)}: see 'payrun show ${runId} --rows'`);
  }
}

/** Line by line as it comes, so that a long trail never piles up in memory. Answers how many entries there were. */
async function tell(
  entries: AsyncIterable<AuditEntrySummary>,
  { json, head }: { json: boolean; head: string },
  io: CommandIo,
): Promise<number> {
  let told = 0;
  for await (const entry of entries) {
    if (json) {
      await write(io.stdout, (told === 0 ? `${head}"entries":[` : ',') + JSON.stringify(entry));
    } else {
      if (told === 0) await writeLine(io.stdout, AUDIT_TITLE);
      await writeLine(io.stdout, auditLine(entry));
    }
    told += 1;
  }
  if (json) await write(io.stdout, told === 0 ? `${head}"entries":[]}\n` : ']}\n');
  return told;
}
