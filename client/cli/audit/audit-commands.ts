import type { Command } from 'commander';
import { GLOBAL_AUDIT_KINDS } from '../../../api/audit/audit-kinds.ts';
import type { AuditEntrySummary, AuditReport } from '../../sdk/index.ts';
import { connectToChange } from '../acting-user.ts';
import type { CommandIo } from '../command-io.ts';
import { write, writeJson, writeLine } from '../command-io.ts';
import { connect } from '../connection.ts';
import { AuditBroken, WrongInput } from '../exit-code.ts';
import { examples } from '../help.ts';
import { describeExportBreak, renderExport, verifyExport } from './verify-export.ts';
import { printable } from '../printable.ts';
import { displayWidth, fit } from '../text-table.ts';
import { counted, exactMoment, words } from '../wording.ts';
import { renderDoneOrChange } from '../users/render-users.ts';

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
    .option(
      '--export <folder>',
      'verify an exported trail by itself, and that the database still has it, if it is reached',
    )
    .option('--json', 'one JSON document on stdout')
    .addHelpText(
      'after',
      examples('payrun audit verify --head POSITION:HASH', 'payrun audit verify --export /mnt/write-once/payrun'),
    )
    .action(async (_options: unknown, command: Command) => {
      // `audit` has --json as well, and commander gives it to the parent.
      const given = command.optsWithGlobals<{ head?: string | null; export?: string; json?: boolean }>();
      const { head = null, json } = given;
      if (given.export !== undefined) {
        if (head !== null)
          throw new WrongInput('--head: an export has its own last hash, leave out --head or --export');
        return printExport(io, given.export, json === true);
      }
      const report = await (await connect(io)).verifyAudit({ head });
      await (json === true ? writeJson(io, report) : writeLine(io.stdout, renderAuditReport(report, head)));
      expectUnbroken(report);
    });
}

async function printExport(io: CommandIo, folder: string, json: boolean): Promise<void> {
  const found = await verifyExport(io, folder);
  const { broken, database, head } = found;
  const reports = [renderExport(found), ...(database === null ? [] : [renderAuditReport(database, 'exported')])];
  await (json ? writeJson(io, found) : writeLine(io.stdout, reports.join('\n')));
  if (broken !== null) throw new AuditBroken(`the export is broken: ${describeExportBreak(broken)}`);
  if (head === null) throw new AuditBroken('there is no piece of the audit trail in this folder');
  if (database !== null) {
    expectUnbroken(database);
    expectExported(database);
  }
}

/** Workers export every minute. */
const EXPORT_TAKES_MS = 600_000;

function expectExported({ afterNotedSince }: AuditReport): void {
  if (afterNotedSince === null || Date.parse(afterNotedSince) > Date.now() - EXPORT_TAKES_MS) return;
  throw new AuditBroken(`the export is behind: it has nothing since ${exactMoment(afterNotedSince)} UTC`);
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
  if (printed === 0 && json !== true) await writeLine(io.stdout, whatWasSought(kind, from));
}

/** An empty list says what was looked for: entries of runs are listed by their run. */
function whatWasSought(kind: string | undefined, from: string | undefined): string {
  const sought = `${kind === undefined ? '' : ` of the kind ${kind}`}${from === undefined ? '' : ` since ${from}`}`;
  const none = `Among the entries that belong to no run there is none${sought}.`;
  const isOfRuns = kind !== undefined && !(GLOBAL_AUDIT_KINDS as readonly string[]).includes(kind);
  const where = isOfRuns
    ? `Entries of this kind, if there are any, belong to a run`
    : 'What happened to a run is not among them';
  return printable(`${none} ${where}: payrun audit RUN`);
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

const WIDTHS = { at: 23, who: 16, row: 20, what: 26 };

const AUDIT_TITLE = line('Time (UTC)', 'Who', 'Row', 'What', 'Outcome');

/** One entry on one line, in columns of fixed width, so that entries can be printed as they arrive. */
function auditLine(entry: AuditEntrySummary): string {
  const row = entry.rowRef ?? entry.paymentId ?? '';
  return line(exactMoment(entry.at), entry.person ?? entry.actor, row, words(entry.kind), outcomeOf(entry));
}

function line(at: string, who: string, row: string, what: string, outcome: string): string {
  const cells = [cell(at, WIDTHS.at), cell(who, WIDTHS.who), cell(row, WIDTHS.row), cell(what, WIDTHS.what)];
  return `${cells.join('  ')}  ${printable(outcome)}`.trimEnd();
}

function cell(text: string, width: number): string {
  const fitting = fit(printable(text), width);
  return fitting + ' '.repeat(Math.max(0, width - displayWidth(fitting)));
}

/** The outcome: the state first, then the other details by their names. */
function outcomeOf({ detail, remark }: AuditEntrySummary): string {
  const { state, ...others } = detail;
  const details = Object.entries(others).flatMap(([name, value]) =>
    value === null ? [] : [`${name} ${textOf(value)}`],
  );
  const quoted = remark === null ? [] : [`“${remark}”`];
  return [...(typeof state === 'string' ? [words(state)] : []), ...quoted, ...details].join(', ');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The result of a verification, for people. */
function renderAuditReport(
  { broken, chained, head, unchained, unchainedSince }: AuditReport,
  noted: string | null,
): string {
  if (broken !== null)
    return `BROKEN at position ${broken.position}; ${counted(chained, 'entry', 'entries')} before it are intact.`;
  const lines = [`Intact: ${counted(chained, 'entry', 'entries')} as they were when chained.`];
  if (noted !== null) lines.push('The noted head is in the chain.');
  if (unchained > 0) {
    const since = unchainedSince === null ? '' : `, since ${exactMoment(unchainedSince)} UTC`;
    lines.push(`Not chained yet: ${counted(unchained, 'entry', 'entries')}${since}.`);
  }
  if (head !== null) lines.push(`Head, to be noted elsewhere: ${head.position}:${head.hash}`);
  return lines.join('\n');
}

const PROBLEMS: Readonly<Record<NonNullable<AuditReport['broken']>['problem'], string>> = {
  link_missing: 'its link is missing',
  entry_missing: 'the entry was removed',
  entry_not_chained: 'the entry was inserted between chained ones',
  out_of_order: 'the entry does not come after the one before it',
  hash_differs: 'the entry, its link or their order was altered',
  head_differs: 'the noted head is not in the chain: the trail was rebuilt, or its end was cut off',
};

function describeBreak(broken: NonNullable<AuditReport['broken']>): string {
  const entry = broken.entryId === null ? '' : `, entry ${broken.entryId}`;
  return `position ${broken.position}${entry}: ${PROBLEMS[broken.problem]}`;
}
