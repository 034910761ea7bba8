import { resolve } from 'node:path';
import type { Command } from 'commander';
import { parse } from 'csv-parse';
import type { CommandIo } from '../command-io.ts';
import { write, writeJson, writeLine } from '../command-io.ts';
import { connect } from '../connection.ts';
import { examples } from '../help.ts';
import { printableLines } from '../printable.ts';
import { save } from '../save-file.ts';
import type { RunDetail } from '../../sdk/index.ts';

interface FileOptions {
  output?: string;
  json?: boolean;
}

export function addFileCommands(program: Command, io: CommandIo): void {
  const files = [
    {
      kind: 'sheet',
      call: 'getSheet',
      description: 'write the headers and cells of the submitted sheet, to compare the run with it, as CSV',
    },
    {
      kind: 'proposal',
      call: 'getProposal',
      description: 'write what every row is expected to cost, what its payee will read and what stands out, as CSV',
    },
    {
      kind: 'results',
      call: 'getResults',
      description: 'write the outcome of every row, in the order of the file, as CSV',
    },
    {
      kind: 'exceptions',
      call: 'getExceptions',
      description: 'write the rows known not to be paid, as CSV to correct and submit again',
    },
  ] as const;
  for (const { kind, call, description } of files) {
    program
      .command(kind)
      .description(description)
      .argument('<run>', "the run's id")
      .option('-o, --output <file>', 'write to this file instead of stdout')
      .option('--json', 'one JSON document on stdout')
      .addHelpText('after', examples(`payrun ${kind} RUN -o ${kind}.csv`))
      .action(async (runId: string, { output, json }: FileOptions) => {
        const client = await connect(io);
        const chunks = client[call]({ runId });
        if (output !== undefined) {
          const path = resolve(io.cwd, output);
          const bytes = await save(chunks, path, { mayReplace: true });
          await (json === true
            ? writeJson(io, { runId, file: path, bytes })
            : writeLine(io.stderr, `Wrote ${output}.`));
        } else if (json === true) {
          await writeRowsAsJson(runId, chunks, io);
        } else {
          for await (const chunk of chunks) await write(io.stdout, io.isTty ? printableLines(chunk) : chunk);
        }
        if (kind === 'exceptions') await nameUnknownRows(await client.getRun({ runId }), io);
      });
  }
}

/** They may have been paid: whoever corrects the file must know that they are missing, and why. */
async function nameUnknownRows({ runId, rows: { unknown = 0 } }: RunDetail, io: CommandIo): Promise<void> {
  if (unknown === 0) return;
  const rows = unknown === 1 ? '1 row that may have been paid is' : `${unknown} rows that may have been paid are`;
  await writeLine(io.stderr, `${rows} not in it: resolve what is unknown first (payrun show ${runId} --rows).`);
}

/** One document, written row by row so that a run of any size fits in memory. Every value is text, as in the file. */
async function writeRowsAsJson(runId: string, chunks: AsyncIterable<string>, io: CommandIo): Promise<void> {
  const parser = parse({ columns: true, bom: true });
  const rows = parser[Symbol.asyncIterator]() as AsyncIterableIterator<Record<string, string>>;
  const feeding = (async () => {
    for await (const chunk of chunks) await write(parser, chunk);
    parser.end();
  })().catch((error: unknown) => parser.destroy(error instanceof Error ? error : new Error(String(error))));
  let separator = `{"runId":${JSON.stringify(runId)},"rows":[`;
  for await (const row of rows) {
    await write(io.stdout, `${separator}${JSON.stringify(row)}`);
    separator = ',';
  }
  await feeding;
  await write(io.stdout, separator === ',' ? ']}\n' : `${separator}]}\n`);
}
