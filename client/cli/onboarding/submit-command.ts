import { type Command, Option } from 'commander';
import type { CaseDetail, SubmittedApplicants } from '../../sdk/index.ts';
import { connectToChange } from '../acting-user.ts';
import { stageOfCase } from '../../../domain/onboarding/case-state.ts';
import { type CommandIo, writeJson, writeLine } from '../command-io.ts';
import { NotAsRequested } from '../exit-code.ts';
import { examples } from '../help.ts';
import { printable } from '../printable.ts';
import { textTable } from '../text-table.ts';
import { counted, duration } from '../wording.ts';
import { readApplicantFiles, reportNotFound } from './applicant-files.ts';
import { expectAllApproved, followCases } from './follow-cases.ts';
import { besidePauses, renderHolds } from './render-holds.ts';
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
    .argument('<file>', 'a CSV or .xlsx with one applicant per row, or one applicant as YAML or JSON')
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
      const submitted = await client.submitApplicants({ ...applicants, account, dryRun });
      // With --wait the document follows at the end; a user who interrupts the wait still needs the ids.
      const out = json ? io.stderr : io.stdout;
      if (!json || wait) await writeLine(out, renderSubmitted(submitted, { dryRun }));
      await writeWarnings(io, submitted);
      if (!dryRun) await warnOfPauses(client, io);
      if (wait)
        await writeLine(
          io.stderr,
          'If you interrupt this, the cases go on. To follow them again: payrun onboard watch',
        );
      const ended = wait ? await followCases(client, submitted.cases, out) : null;
      if (json) await writeJson(io, ended === null ? submitted : withStates(submitted, ended));
      if (ended !== null) expectAllApproved(ended);
      expectAllTaken(submitted, dryRun);
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
  const { cases, newCount, requestCount, secondsToFinish, holds } = submitted;
  const known = cases.length - newCount;
  const counts = `${counted(newCount, 'new case')}${known === 0 ? '' : `, ${known} already known`}`;
  const shownHolds = dryRun || newCount === 0 ? [] : besidePauses(holds);
  return [
    dryRun ? `The file is in order: ${counts}. Nothing was stored.` : `Accepted: ${counts}.`,
    renderCases(cases),
    ...(newCount === 0 ? [] : [estimate(requestCount, secondsToFinish, holds.length > 0)]),
    ...(shownHolds.length === 0 ? [] : [renderHolds(shownHolds)]),
    ...(dryRun || newCount === 0 ? [] : ['To see how they are doing: payrun onboard list']),
  ].join('\n');
}

function renderCases(cases: SubmittedApplicants['cases']): string {
  const table = textTable(
    [{ title: 'Case' }, { title: 'Applicant' }, { title: '' }, { title: 'State' }],
    cases
      .slice(0, MAX_LISTED)
      .map(({ caseId, applicantRef, isNew, differs, state }) => [
        caseId,
        applicantRef,
        isNew ? 'new' : differs === true ? 'already known, differs' : 'already known',
        state,
      ]),
  );
  const unlisted = cases.length - MAX_LISTED;
  return unlisted > 0 ? `${table}\n… and ${counted(unlisted, 'more case')}` : table;
}

function estimate(requestCount: number, secondsToFinish: number, isHeld: boolean): string {
  const begun = isHeld ? ' after the hold below has ended' : '';
  return (
    `This takes ${counted(requestCount, 'request')} to the provider: the last screening is requested in about ` +
    `${duration(secondsToFinish)}${begun}, then the provider decides.`
  );
}

/** Throws NotAsRequested for known cases of which nothing can come, or whose new values were not taken. */
function expectAllTaken({ cases }: SubmittedApplicants, dryRun: boolean): void {
  const known = cases.filter(({ isNew }) => !isNew);
  const ended = known.filter(({ state }) => stageOfCase(state) === 'ended' && state !== 'approved');
  const ignored = known.filter((one) => one.differs === true && !ended.includes(one));
  const problems = [
    ...ended
      .slice(0, MAX_LISTED)
      .map(
        ({ applicantRef, state }) =>
          `the case ${applicantRef} is ${state}: nothing is begun for it. See payrun onboard show ${applicantRef}; to begin again, ` +
          'use another applicant_ref',
      ),
    ...ignored
      .slice(0, MAX_LISTED)
      .map(
        ({ applicantRef, state }) =>
          `the case ${applicantRef} (${state}) has other values or documents than the file, which ${dryRun ? 'would not be' : 'were not'} ` +
          `taken: when it waits for you, give them with payrun onboard supply ${applicantRef} FILE`,
      ),
  ];
  if (problems.length === 0) return;
  const unlisted = Math.max(0, ended.length - MAX_LISTED) + Math.max(0, ignored.length - MAX_LISTED);
  const more = unlisted === 0 ? [] : [`… and ${counted(unlisted, 'more case')}`];
  throw new NotAsRequested([...problems, ...more].map(printable).join('\n'));
}

function withStates(submitted: SubmittedApplicants, ended: readonly CaseDetail[]): object {
  const states = new Map(ended.map(({ caseId, state, stateReason }) => [caseId, { state, stateReason }]));
  return { ...submitted, cases: submitted.cases.map((one) => ({ ...one, ...states.get(one.caseId) })) };
}
