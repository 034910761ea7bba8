import { type Command, Option } from 'commander';
import type { CaseDetail, SubmittedApplicants } from '../../sdk/index.ts';
import { connectToChange } from '../acting-user.ts';
import { type CommandIo, writeJson, writeLine } from '../command-io.ts';
import { examples } from '../help.ts';
import { printable } from '../printable.ts';
import { textTable } from '../text-table.ts';
import { counted, duration } from '../wording.ts';
import { readApplicantFiles, reportNotFound } from './applicant-files.ts';
import { expectAllApproved, followCases } from './follow-cases.ts';
import { warnOfPauses } from './sign-up-commands.ts';

interface SubmitOptions {
  files?: string;
  account?: string;
  dryRun?: boolean;
  wait?: boolean;
  json?: boolean;
}

const MAX_LISTED = 50;

export function addSubmitApplicantsCommand(onboard: Command, io: CommandIo): void {
  onboard
    .command('submit')
    .description('check applicants and their documents, and begin their onboarding')
    .argument('<file>', 'a CSV with one applicant per line, or one applicant as YAML or JSON')
    .option('--files <folder>', 'the documents that the file names; of YAML and JSON, by default those beside it')
    .option('--account <name>', "the provider's account to onboard with")
    .option('--dry-run', 'only check the file; nothing is stored')
    .addOption(
      new Option(
        '--wait',
        'follow the cases until payrun and the provider have done their part; exit code 0 only if all are approved',
      ).conflicts('dryRun'),
    )
    .option('--json', 'one JSON document on stdout')
    .addHelpText(
      'after',
      examples(
        'payrun onboard submit anna.yaml',
        'payrun onboard submit applicants.csv --files documents/ --dry-run',
        'payrun onboard submit applicants.csv --files documents/ --wait',
      ),
    )
    .action(async (file: string, options: SubmitOptions) => {
      const { files, account = null, dryRun = false, wait = false, json = false } = options;
      const applicants = await readApplicantFiles(io.cwd, file, files);
      await reportNotFound(io, applicants);
      const client = await connectToChange(io);
      const submitted = await client.onboarding.submit({ ...applicants, account, dryRun });
      // With --wait the document follows at the end; a user who interrupts the wait still needs the ids.
      const out = json ? io.stderr : io.stdout;
      if (!json || wait) await writeLine(out, renderSubmitted(submitted, { dryRun }));
      await writeWarnings(io, submitted);
      if (!dryRun) await warnOfPauses(client, io);
      const ended = wait ? await followCases(client, submitted.cases, out) : null;
      if (json) await writeJson(io, ended === null ? submitted : withStates(submitted, ended));
      if (ended !== null) expectAllApproved(ended);
    });
}

async function writeWarnings(io: CommandIo, { warnings }: SubmittedApplicants): Promise<void> {
  for (const { applicantRef, message } of warnings.slice(0, MAX_LISTED)) {
    await writeLine(io.stderr, printable(`Warning: applicant ${applicantRef}: ${message}`));
  }
  const unlisted = warnings.length - MAX_LISTED;
  if (unlisted > 0) await writeLine(io.stderr, `… and ${counted(unlisted, 'more warning')}`);
}

function renderSubmitted(submitted: SubmittedApplicants, { dryRun }: { dryRun: boolean }): string {
  const { cases, newCount, requestCount, secondsToFinish } = submitted;
  const known = cases.length - newCount;
  const counts = `${counted(newCount, 'new case')}${known === 0 ? '' : `, ${known} already known`}`;
  return [
    dryRun ? `The file is in order: ${counts}. Nothing was stored.` : `Accepted: ${counts}.`,
    renderCases(cases),
    ...(newCount === 0 ? [] : [estimate(requestCount, secondsToFinish)]),
    ...(dryRun || newCount === 0 ? [] : ['To see how they are doing: payrun onboard list']),
  ].join('\n');
}

function renderCases(cases: SubmittedApplicants['cases']): string {
  const table = textTable(
    [{ title: 'Case' }, { title: 'Applicant' }, { title: '' }],
    cases
      .slice(0, MAX_LISTED)
      .map(({ caseId, applicantRef, isNew }) => [caseId, applicantRef, isNew ? 'new' : 'already known']),
  );
  const unlisted = cases.length - MAX_LISTED;
  return unlisted > 0 ? `${table}\n… and ${counted(unlisted, 'more case')}` : table;
}

function estimate(requestCount: number, secondsToFinish: number): string {
  return (
    `They take ${counted(requestCount, 'request')} to the provider: the last screening is requested in about ` +
    `${duration(secondsToFinish)}, then the provider decides.`
  );
}

function withStates(submitted: SubmittedApplicants, ended: readonly CaseDetail[]): object {
  const states = new Map(ended.map(({ caseId, state, stateReason }) => [caseId, { state, stateReason }]));
  return { ...submitted, cases: submitted.cases.map((one) => ({ ...one, ...states.get(one.caseId) })) };
}
