import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { FileSummary, PayrunClient } from '../../sdk/index.ts';
import type { CommandIo } from '../command-io.ts';
import { writeJson, writeLine } from '../command-io.ts';
import { connect } from '../connection.ts';
import { WrongInput } from '../exit-code.ts';
import { examples } from '../help.ts';
import { printable } from '../printable.ts';
import { save } from '../save-file.ts';
import { textTable } from '../text-table.ts';
import { count, counted } from '../wording.ts';

export function addSupportingFilesCommand(program: Command, io: CommandIo): void {
  program
    .command('files')
    .description('list the supporting files of a run, or save them')
    .argument('<run>', "the run's id")
    .option('-o, --output <folder>', 'save them in this folder, readable only by you')
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun files RUN -o invoices'))
    .action(async (runId: string, { output, json }: { output?: string; json?: boolean }) => {
      const client = await connect(io);
      const { files } = await client.listFiles({ runId });
      if (output === undefined) {
        await (json === true ? writeJson(io, { runId, files }) : writeLine(io.stdout, renderFiles(files)));
        return;
      }
      const saved = await saveAll(client, runId, files, resolve(io.cwd, output));
      if (json === true) await writeJson(io, { runId, files: saved });
      else {
        for (const { path } of saved) await writeLine(io.stdout, printable(path));
        await writeLine(io.stderr, `Saved ${counted(saved.length, 'file')}.`);
      }
    });
}

function renderFiles(files: readonly FileSummary[]): string {
  if (files.length === 0) return 'The run has no supporting files.';
  return textTable(
    [{ title: 'File' }, { title: 'Type' }, { title: 'Bytes', align: 'right' }],
    files.map(({ name, contentType, sizeBytes }) => [name, contentType, count(sizeBytes)]),
  );
}

/** Never replaces a file: it may be another one of the same name. */
async function saveAll(
  client: PayrunClient,
  runId: string,
  files: readonly FileSummary[],
  folder: string,
): Promise<(FileSummary & { path: string })[]> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw new WrongInput(`cannot create ${folder} (${codeOf(error)}): choose another folder with -o`);
  });
  const taken = new Set<string>();
  const saved: (FileSummary & { path: string })[] = [];
  for (const file of files) {
    const name = nameWithin(file.name, taken);
    taken.add(name.toLowerCase());
    const path = join(folder, name);
    await save(client.getFile({ runId, name: file.name }), path, { mayReplace: false });
    saved.push({ ...file, path });
  }
  return saved;
}

/** File systems allow 255 bytes; a number, an ending and a temporary suffix are added. */
const MAX_NAME_BYTES = 180;

/**
 * A safe name inside the folder: file names come from outside. No separators, no leading dots or dashes, no characters
 * that are special to a terminal or file system, and no name twice.
 */
function nameWithin(name: string, taken: ReadonlySet<string>): string {
  const plain = name
    .replace(/[\p{C}\p{Z}/\\:*?"<>|]/gu, (character) => (character === ' ' ? ' ' : '_'))
    .replace(/^[-. ]+/, '_')
    .replace(/[. ]+$/, '');
  const [stem, ending] = splitEnding(plain === '' ? 'file' : plain);
  for (let number = 1; ; number += 1) {
    const candidate = `${stem}${number === 1 ? '' : `-${number}`}${ending}`;
    if (!taken.has(candidate.toLowerCase())) return candidate;
  }
}

function splitEnding(name: string): [stem: string, ending: string] {
  const ending = /\.[A-Za-z0-9]{1,8}$/.exec(name)?.[0] ?? '';
  const stem = Buffer.from(name.slice(0, name.length - ending.length)).subarray(0, MAX_NAME_BYTES);
  // Drop a character that was cut in two.
  return [stem.toString('utf8').replace(/\ufffd+$/, ''), ending];
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}
