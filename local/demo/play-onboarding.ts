import { setTimeout as delay } from 'node:timers/promises';
import { writeLine } from '../../client/cli/command-io.ts';
import { followCases } from '../../client/cli/onboarding/follow-cases.ts';
import { renderCase } from '../../client/cli/onboarding/render-case.ts';
import {
  type ApplicantsToSubmit,
  type CaseDetail,
  type CaseWatchOptions,
  type PayrunClient,
} from '../../client/sdk/index.ts';
import { type Demo, type PlayedDemo, secondsSince } from './demo.ts';
import { readSandboxLedger } from './demo-files.ts';
import { exampleClients } from './example-users.ts';
import { demoApplicants, demoSupply } from './onboarding-files.ts';
import { caseTable, onboardingNextSteps, userLedgerTable } from './onboarding-report.ts';
import { findOnboardingDeviations, type UserLedger } from './onboarding-script.ts';

/**
 * Answers without surprises, and screenings that are decided by themselves: after the visibility delay of payrun, before which
 * it reads a request for documents again, as it may be the one before the screening.
 */
export const ONBOARDING_SANDBOX = [
  '--plain',
  ...['--screening-outcome', 'approved'],
  ...['--completion-min-ms', '6000'],
  ...['--completion-max-ms', '8000'],
] as const;

const MS_BETWEEN_READS = 500;

const STATES_EXPLAINED = [
  'Below, each line is a case and its state: draft (accepted), signing_up (the sign-up is sent), preparing (details and documents',
  'are sent and compared), ready (the screening is requested), screening (the provider decides), approved. A state that lasts',
  'less than half a second may be missing. resubmission waits for the onboarder. All states: docs/states.md',
] as const;

/** A person and a company, from submission to the provider's decision; the person gives a document twice. */
export async function playOnboarding({ stack, screen, io, options, signal }: Demo): Promise<PlayedDemo> {
  const startedAtMs = performance.now();
  const { serverUrl, sandboxUrl } = stack.addresses;
  const { onboarder } = await exampleClients(stack.ownerDatabaseUrl, serverUrl);
  const out = options.json ? io.stderr : io.stdout;
  const follow = (cases: readonly { caseId: string }[]): Promise<CaseDetail[]> =>
    followCases(onboarder, cases, out, { signal, wait: shortly });

  screen.title('The onboarder submits examples/onboarding/individual.yaml and company.yaml');
  screen.say("The person's first name gets the word RESUBMIT: then the sandbox asks for documents again, once.");
  for (const line of STATES_EXPLAINED) screen.say(line);
  const { person, company } = await demoApplicants();
  const [submitted] = (await onboarder.submitApplicants(person)).cases;
  const others = (await onboarder.submitApplicants(company)).cases;
  const cases = [submitted, ...others].filter((one) => one !== undefined);
  const resubmittedId = submitted?.caseId ?? '';
  const first = await follow(cases);
  const asked = first.find(({ caseId, state }) => caseId === resubmittedId && state === 'resubmission');
  if (asked !== undefined) {
    screen.title('The onboarder reads what the provider wrote, and supplies the passport again');
    screen.say('This is what payrun onboard show prints:');
    await writeLine(out, renderCase(await onboarder.getCase({ caseId: asked.caseId })));
    const { caseId, revision } = asked;
    await onboarder.supplyCase({ ...(await demoSupply()), caseId, revision });
    await follow([asked]);
  }

  screen.title('The onboarder submits the same files once more');
  const newWhenRepeated = await countNew(onboarder, [person, company]);
  if (newWhenRepeated === 0) screen.say('Both applicants are known already: nothing is sent.');
  const ended = await Promise.all(cases.map(({ caseId }) => onboarder.getCase({ caseId, values: false })));
  const seconds = secondsSince(startedAtMs);
  const ledger = await readSandboxLedger<UserLedger>(sandboxUrl ?? '');
  const deviations = findOnboardingDeviations({ cases: ended, resubmittedId, newWhenRepeated, ledger });
  screen.ending({
    sections: [caseTable(ended), userLedgerTable(seconds, ledger)],
    deviations,
    kept: options.keep ? stack : null,
    nextSteps: onboardingNextSteps(options.keep),
  });
  return { deviations, document: { cases: countByState(ended), seconds, ledger } };
}

const shortly: CaseWatchOptions['wait'] = (_pauseMs, signal) =>
  delay(MS_BETWEEN_READS, undefined, signal === undefined ? {} : { signal });

async function countNew(onboarder: PayrunClient, files: readonly ApplicantsToSubmit[]): Promise<number> {
  let count = 0;
  for (const file of files) count += (await onboarder.submitApplicants(file)).newCount;
  return count;
}

function countByState(cases: readonly CaseDetail[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { state } of cases) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}
