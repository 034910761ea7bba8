import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { SUPPORTED_KINDS } from '../../../domain/payment-file/supporting-file-kind.ts';
import { type AuditEntrySummary, type CaseDetail, type CaseDocument, type PayrunClient } from '../../sdk/index.ts';
import { type CommandIo, writeJson, writeLine } from '../command-io.ts';
import { connectToChange } from '../acting-user.ts';
import { WrongInput } from '../exit-code.ts';
import { examples } from '../help.ts';
import { printable } from '../printable.ts';
import { counted } from '../wording.ts';
import { CASE_ARGUMENT, caseNamed } from './named-case.ts';

export function addExportCommand(onboard: Command, io: CommandIo): void {
  onboard
    .command('export')
    .description('write everything that is known about an applicant into a new folder, readable only by you')
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
        const detail = await client.onboarding.export(caseId);
        return { caseId: detail.caseId, files: await writeCase(client, detail, into) };
      });
      if (json === true) await writeJson(io, { ...written, folder });
      else await writeLine(io.stdout, printable(`Wrote ${counted(written.files.length, 'file')} to ${folder}.`));
    });
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

/** `case.json` and the documents. Answers their names. */
async function writeCase({ onboarding }: PayrunClient, detail: CaseDetail, folder: string): Promise<string[]> {
  const audit: AuditEntrySummary[] = [];
  for await (const entry of onboarding.listAudit(detail.caseId)) audit.push(entry);
  const content = `${JSON.stringify({ ...detail, audit }, null, 2)}\n`;
  const options = { flag: 'wx', mode: 0o600 } as const;
  await writeFile(join(folder, 'case.json'), content, options);
  const names = ['case.json'];
  for (const document of detail.documents) {
    const name = fileNameOf(document);
    await writeFile(join(folder, name), onboarding.getDocument(detail.caseId, document.slot), options);
    names.push(name);
  }
  return names;
}

/** After the slot, which is unique and safe as a name: names of files come from outside. */
function fileNameOf({ slot, contentType }: CaseDocument): string {
  const ending = SUPPORTED_KINDS.find((kind) => kind.contentType === contentType)?.extensions[0] ?? 'bin';
  return `${slot.replace(/[^A-Za-z0-9_]/g, '_')}.${ending}`;
}

function cannotWrite(shown: string, error: unknown): WrongInput {
  return new WrongInput(`cannot write ${shown} (${codeOf(error)}): name another folder with --to`);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}
