import type { Command } from 'commander';
import { connectToChange } from '../acting-user.ts';
import { type CommandIo, writeJson, writeLine } from '../command-io.ts';
import { examples } from '../help.ts';
import { printable } from '../printable.ts';
import { readApplicantFiles, reportNotFound } from './applicant-files.ts';
import { CASE_ARGUMENT, caseNamed } from './named-case.ts';

export function addSupplyCommand(onboard: Command, io: CommandIo): void {
  onboard
    .command('supply')
    .description(
      'send missing or corrected data; the file has only what changes, and documents replace those of their name',
    )
    .argument(...CASE_ARGUMENT)
    .argument('<file>', 'the new values, in the form of a submission')
    .option('--files <folder>', 'the documents that the file names; of YAML and JSON, by default those beside it')
    .option('--json', 'one JSON document on stdout')
    .addHelpText(
      'after',
      examples(
        'payrun onboard supply CASE new-address.yaml',
        'payrun onboard supply CASE passport.csv --files documents/',
      ),
    )
    .action(async (given: string, file: string, { files, json }: { files?: string; json?: boolean }) => {
      const supply = await readApplicantFiles(io.cwd, file, files);
      await reportNotFound(io, supply);
      const client = await connectToChange(io);
      const caseId = await caseNamed(client, given);
      const { revision } = await client.getCase({ caseId, values: false });
      const supplied = await client.supplyCase({ ...supply, caseId, revision });
      await (json === true
        ? writeJson(io, supplied)
        : writeLine(
            io.stdout,
            printable(
              `Supplied as revision ${supplied.revision}. The case is prepared again: payrun onboard show ${caseId}`,
            ),
          ));
    });
}
