import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { SUPPORTED_KINDS } from '../../../domain/payment-file/supporting-file-kind.ts';
import { rolesThatMay } from '../../../domain/users/role.ts';
import {
  type AuditEntrySummary,
  type CaseDetail,
  type CaseDocument,
  PayrunApiError,
  type PayrunClient,
} from '../../sdk/index.ts';
import { type CommandIo, writeJson, writeLine } from '../command-io.ts';
import { connect } from '../connection.ts';
import { WrongInput } from '../exit-code.ts';
import { examples } from '../help.ts';
import { printable } from '../printable.ts';
import { counted } from '../wording.ts';

export function addExportCommand(onboard: Command, io: CommandIo): void {
  onboard
    .command('export')
    .description('write everything that is known about an applicant into a new folder, readable only by you')
    .argument('<case>', "the case's id")
    .requiredOption('--to <folder>', 'the folder; it must not exist, or be empty')
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun onboard export CASE --to anna'))
    .action(async (caseId: string, { to, json }: { to: string; json?: boolean }) => {
      const folder = resolve(io.cwd, to);
      await expectNoFiles(folder, to);
      const client = await connect(io);
      const detail = await client.onboarding.get(caseId);
      expectReadable(detail);
      const files = await writeFolder(folder, to, (into) => writeCase(client, detail, into));
      if (json === true) await writeJson(io, { caseId: detail.caseId, folder, files });
      else await writeLine(io.stdout, printable(`Wrote ${counted(files.length, 'file')} to ${folder}.`));
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

/** Throws for a user who may not read what is to be exported, and for a case without data. */
function expectReadable({ isMasked, state }: CaseDetail): void {
  if (isMasked) {
    const roles = rolesThatMay('read_applicants').join(', ');
    throw new PayrunApiError(403, 'not_allowed', `personal data of applicants is for the roles ${roles}`);
  }
  if (state === 'erased') throw new WrongInput('the data of this case was erased: there is nothing to export');
}

/** The folder appears under its name when it is complete. */
async function writeFolder(
  folder: string,
  shown: string,
  work: (into: string) => Promise<string[]>,
): Promise<string[]> {
  // Readable by its owner alone.
  const partial = await mkdtemp(join(dirname(folder), `.${basename(folder)}-`)).catch((error: unknown) => {
    throw cannotWrite(shown, error);
  });
  try {
    const files = await work(partial);
    await rename(partial, folder).catch((error: unknown) => {
      throw cannotWrite(shown, error);
    });
    return files;
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
