import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { CommandIo } from '../command-io.ts';
import { writeJson, writeLine } from '../command-io.ts';
import { connect } from '../connection.ts';
import { examples } from '../help.ts';
import { save } from '../save-file.ts';

interface TemplateOptions {
  output: string;
  account?: string;
  to: string;
  from?: string;
  country?: string;
  json?: boolean;
}

export function addTemplateCommand(program: Command, io: CommandIo): void {
  program
    .command('template')
    .description('write a payment file with the columns that one currency and country need, and an example row')
    .requiredOption('-o, --output <file>', 'where it is written')
    .option('--account <name>', "the provider's account to pay from")
    .requiredOption('--to <currency>', 'that the beneficiaries get')
    .option('--from <currency>', 'that you pay from (default: USD where it can be sold for it)')
    .option('--country <code>', 'of the beneficiaries and their banks (default: that of the currency)')
    .option('--json', 'one JSON document on stdout')
    .addHelpText(
      'after',
      examples('payrun template -o payments.csv --to GBP', 'payrun template -o payments.csv --to EUR --country DE'),
    )
    .action(async ({ output, json, ...corridor }: TemplateOptions) => {
      const { account, to, from, country } = corridor;
      const client = await connect(io);
      const chunks = client.getCorridorTemplate({
        to,
        ...(account === undefined ? {} : { account }),
        ...(from === undefined ? {} : { from }),
        ...(country === undefined ? {} : { country }),
      });
      const file = resolve(io.cwd, output);
      const bytes = await save(chunks, file, { mayReplace: false });
      if (json === true) await writeJson(io, { file, bytes });
      else
        await writeLine(io.stderr, `Wrote ${output}. Replace its example row: where it says "fill in", only you know.`);
    });
}
