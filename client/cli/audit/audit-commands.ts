import type { Command } from 'commander';
import type { AuditEntrySummary, AuditReport } from '../../sdk/index.ts';
import { connectToChange } from '../acting-user.ts';
import type { CommandIo } from '../command-io.ts';
import { write, writeJson, writeLine } from '../command-io.ts';
import { connect } from '../connection.ts';
import { AuditBroken, WrongInput } from '../exit-code.ts';
import { examples } from '../help.ts';
import { printable } from '../printable.ts';
import { renderDoneOrChange } from '../users/render-users.ts';
import { AUDIT_TITLE, auditLine, describeBreak, renderAuditReport } from './render-audit.ts';

interface TrailOptions {
  row?: string;
  people?: boolean;
  kind?: string;
  from?: string;
  json?: boolean;
}

export function addAuditCommands(program: Command, io: CommandIo): void {
  addRemarkCommand(program, io);
  const audit = program
    .command('audit')
    .description('list what happened to a run, to one row, or to users, policy and stops: when, by whom, the outcome')
    .argument(
      '[run]',
      "the run's id; without it, entries that belong to no run. For a case, use payrun onboard history",
    )
    .option('--row <reference>', 'only entries of the row with this row_ref')
    .option('--people', 'with a run: only what people did')
    .option('--kind <kind>', 'without a run: only entries of this kind, as named in --json')
    .option('--from <time>', 'without a run: only entries since 2026-01-31 or 2026-01-31T12:00:00Z')
    .option('--json', 'one JSON document on stdout')
    .addHelpText(
      'after',
      examples(
        'payrun audit RUN --row INV-1',
        'payrun audit RUN --people',
        'payrun audit --kind sign_in_refused --from 2026-01-31',
        'payrun audit verify',
      ),
    )
    .action((runId: string | undefined, options: TrailOptions) =>
      runId === undefined ? printGlobalTrail(options, io) : printRunTrail(runId, options, io),
    );

  audit
    .command('verify')
    .description('verify the hash chain of the whole audit trail: no entry removed, altered, inserted or reordered')
    .option('--head <position:hash>', 'a head noted earlier, which must still be in the chain')
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun audit verify --head POSITION:HASH'))
    .action(async (_options: unknown, command: Command) => {
      // `audit` has --json as well, and commander gives it to the parent.
      const { head = null, json } = command.optsWithGlobals<{ head?: string | null; json?: boolean }>();
      const report = await (await connect(io)).verifyAudit({ head });
      await (json === true ? writeJson(io, report) : writeLine(io.stdout, renderAuditReport(report, head)));
      expectUnbroken(report);
    });
}

function addRemarkCommand(program: Command, io: CommandIo): void {
  program
    .command('remarks')
    .description('comments and reasons that people wrote')
    .command('erase')
    .description('propose to erase a comment or reason; the audit trail keeps a hash of it')
    .argument('<remark>', "the remark's id, from `audit`")
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun remarks erase REMARK'))
    .action(async (remarkId: string, { json }: { json?: boolean }) => {
      const { change } = await (await connectToChange(io)).eraseRemark({ remarkId });
      await (json === true
        ? writeJson(io, { remarkId, change })
        : writeLine(io.stdout, renderDoneOrChange(change, `Erased ${remarkId}.`)));
    });
}

function expectUnbroken({ broken }: AuditReport): void {
  if (broken !== null) throw new AuditBroken(`the audit trail is broken: ${describeBreak(broken)}`);
}

async function printGlobalTrail({ row, people, kind, from, json }: TrailOptions, io: CommandIo): Promise<void> {
  if (row !== undefined) throw new WrongInput('--row belongs to a run: name the run');
  if (people === true) throw new WrongInput('--people belongs to a run: name the run');
  const entries = (await connect(io)).eachGlobalAuditEntry({
    kind: kind ?? null,
    from: from === undefined ? null : instantOf(from),
  });
  const printed = await printEntries(entries, { json: json === true, head: '{' }, io);
  if (printed === 0 && json !== true) await writeLine(io.stdout, 'There are no entries.');
}

function instantOf(text: string): string {
  const instant = /^\d{4}-\d{2}-\d{2}/.test(text) ? new Date(text) : new Date(Number.NaN);
  if (Number.isNaN(instant.getTime())) throw new WrongInput('--from: give a day or a time, as 2026-01-31');
  return instant.toISOString();
}

async function printRunTrail(runId: string, options: TrailOptions, io: CommandIo): Promise<void> {
  const { row, people = false, kind, from, json } = options;
  if (kind !== undefined || from !== undefined)
    throw new WrongInput('--kind and --from are for the trail without a run');
  const entries = (await connect(io)).eachAuditEntry({ runId, rowRef: row ?? null, by: people ? 'people' : null });
  const printed = await printEntries(entries, { json: json === true, head: `{"runId":${JSON.stringify(runId)},` }, io);
  if (printed === 0 && row !== undefined) {
    throw new WrongInput(`run ${runId} has no entries for a row ${printable(row)}: see 'payrun show ${runId} --rows'`);
  }
}

/** Prints each entry as it arrives, so that a trail of any length fits in memory. Returns the number of entries. */
export async function printEntries(
  entries: AsyncIterable<AuditEntrySummary>,
  { json, head }: { json: boolean; head: string },
  io: CommandIo,
): Promise<number> {
  let printed = 0;
  for await (const entry of entries) {
    if (json) {
      await write(io.stdout, (printed === 0 ? `${head}"entries":[` : ',') + JSON.stringify(entry));
    } else {
      if (printed === 0) await writeLine(io.stdout, AUDIT_TITLE);
      await writeLine(io.stdout, auditLine(entry));
    }
    printed += 1;
  }
  if (json) await write(io.stdout, printed === 0 ? `${head}"entries":[]}\n` : ']}\n');
  return printed;
}
