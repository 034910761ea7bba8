import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { AuditEntrySummary, CaseExport, PayrunClient } from '../../sdk/index.ts';
import { type CommandIo, writeJson, writeLine } from '../command-io.ts';
import { connectToChange } from '../acting-user.ts';
import { WrongInput } from '../exit-code.ts';
import { examples } from '../help.ts';
import { printable } from '../printable.ts';
import { counted } from '../wording.ts';
import { CASE_ARGUMENT, caseNamed } from './named-case.ts';
import { applicantExport, applicantPage, exportedDocuments } from './applicant-export.ts';

export function addExportCommand(onboard: Command, io: CommandIo): void {
  onboard
    .command('export')
    .description(
      'write everything that is known about an applicant, also former values and files, into a new folder that only you can read',
    )
    .argument(...CASE_ARGUMENT)
    .requiredOption('--to <folder>', 'the folder; it must not exist, or be empty')
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun onboard export CASE --to anna'))
    .action(async (given: string, { to, json }: { to: string; json?: boolean }) => {
      const folder = resolve(io.cwd, to);
      await expectNoFiles(folder, to);
      const client = await connectToChange(io);
      const caseId = await caseNamed(client, given);
      const written = await writeFolder(folder, to, async (into) => {
        // Only now: an export that cannot be written leaves no entry in the audit trail.
        const detail = await client.exportCase({ caseId });
        return { caseId: detail.caseId, files: await writeCase(client, detail, into) };
      });
      if (json === true) await writeJson(io, { ...written, folder });
      else await writeLine(io.stdout, printable(writtenText(written.files.length, folder)));
    });
}

function writtenText(count: number, folder: string): string {
  return (
    `Wrote ${counted(count, 'file')} to ${folder}; ${PAGE} is to read, ${DATA} for programs. These are personal data, not encrypted: ` +
    'delete the folder when it was handed over.'
  );
}

/** Throws WrongInput unless the folder is new or empty: an export must not be mixed with anything else. */
async function expectNoFiles(folder: string, shown: string): Promise<void> {
  const entries = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw cannotWrite(shown, error);
  });
  if (entries.length > 0) throw new WrongInput(`${shown} is not empty: name a new folder with --to`);
}

/** The folder appears under its name when it is complete. */
async function writeFolder<T>(folder: string, shown: string, work: (into: string) => Promise<T>): Promise<T> {
  // Readable by its owner alone.
  const partial = await mkdtemp(join(dirname(folder), `.${basename(folder)}-`)).catch((error: unknown) => {
    throw cannotWrite(shown, error);
  });
  try {
    const written = await work(partial);
    await rename(partial, folder).catch((error: unknown) => {
      throw cannotWrite(shown, error);
    });
    return written;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

/** A page to read, `case.json` with the same, and every document. Answers their names. */
async function writeCase(client: PayrunClient, exported: CaseExport, folder: string): Promise<string[]> {
  const { caseId } = exported;
  const audit: AuditEntrySummary[] = [];
  for await (const entry of client.eachCaseAuditEntry({ caseId })) audit.push(entry);
  const options = { flag: 'wx', mode: 0o600 } as const;
  await writeFile(join(folder, PAGE), applicantPage(exported, audit), options);
  await writeFile(join(folder, DATA), `${JSON.stringify(applicantExport(exported, audit), null, 2)}\n`, options);
  const names = [PAGE, DATA];
  for (const { slot, revision, file } of exportedDocuments(exported)) {
    await writeFile(join(folder, file), client.getCaseDocument({ caseId, slot, revision }), options);
    names.push(file);
  }
  return names;
}

const PAGE = 'applicant.txt';
const DATA = 'case.json';

function cannotWrite(shown: string, error: unknown): WrongInput {
  return new WrongInput(`cannot write ${shown} (${codeOf(error)}): name another folder with --to`);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}
