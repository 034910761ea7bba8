import { setTimeout as sleep } from 'node:timers/promises';
import { ApplicantsRefusedError, type ApplicantsToSubmit } from '../../../client/sdk/index.ts';
import { OBSERVED_CASE_STATES } from '../../../domain/onboarding/case-state.ts';
import type { RunningSandbox } from '../../../sandbox/server.ts';
import { startSandbox } from '../../../sandbox/server.ts';
import { faultsOf, orderFaults } from '../../helpers/sandbox-control.ts';
import { type FaultStack, REQUESTS_PER_SECOND } from '../fault-stack.ts';
import type { Finding, Outcome } from '../outcome.ts';
import { requestTriggers } from '../triggers.ts';
import { untilRepaired } from '../until-repaired.ts';
import { untilWithin } from '../until-within.ts';
import { applicantsOf, csvSubmission, MARK, type ScenarioApplicant, yamlSubmission } from './applicants.ts';
import { compareOnboarding } from './compare-onboarding.ts';
import { Disruptions } from './disruptions.ts';
import { isExplained } from './expected-reasons.ts';
import { filesWithMarks } from './marks-in-files.ts';
import { describeOnboardingDisruption, type OnboardingScenario } from './onboarding-scenario.ts';
import { letHoursPass } from './passing-time.ts';
import { onboardersOn, type Onboarders, People } from './people.ts';
import { recordedCases, type RecordedCase, workflowOfCase } from './recorded-cases.ts';
import { signUpElsewhere, usersAt } from './sandbox-users.ts';
import { SignUpRequests } from './sign-up-requests.ts';

/** Enough for a few applicants with any faults. */
const ENDS_WITHIN_MS = 400_000;
/** A file whose submission failed is submitted again until it is accepted. */
const ACCEPTED_WITHIN_MS = 150_000;
/** After the end of a case its workflow still has to see it. */
const WORKFLOWS_END_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 250;
/** Nothing has changed for so long: what is still open waits for an event that was lost, or that nobody sent. */
const QUIET_MS = 4_000;
/** The provider limits the requests in any second. */
const LIMIT_PERIOD_MS = 1_000;

let lastTag = 0;

interface Play {
  stack: FaultStack;
  scenario: OnboardingScenario;
  sandbox: RunningSandbox;
  /** With a slash at its end: the beginning of every reference of the scenario. */
  prefix: string;
  applicants: readonly ScenarioApplicant[];
  /** Users who were signed up before, by reference of the applicant who names them. */
  elsewhere: ReadonlyMap<string, string>;
  onboarders: Onboarders;
  signUps: SignUpRequests;
  people: People;
  disruptions: Disruptions;
}

/**
 * Runs a scenario on a stack: submits the applicants, causes the scenario's faults and disruptions, does what people do, and
 * compares the views of the cases after all have ended and everything is repaired.
 */
export async function runOnboarding(stack: FaultStack, scenario: OnboardingScenario): Promise<Outcome> {
  const needsDisk = scenario.disruptions.some(({ action }) => action.kind === 'fill_disk');
  if (needsDisk && stack.disk === null) return { kind: 'skipped', why: 'a small disk cannot be mounted here' };
  lastTag += 1;
  const sandbox = await startSandbox({
    seed: scenario.seed,
    answers: 'seeded',
    limitPerSecond: REQUESTS_PER_SECOND,
    completionMinMs: 100,
    completionMaxMs: 800,
    slowCompletionMs: 5_000,
    secondSignUp: 'accept',
    screeningOutcome: 'approved',
    publicUrl: stack.providerProxy.urlOf(0),
    webhookUrl: scenario.webhooks ? stack.webhookUrl : null,
    ...scenario.sandbox,
  });
  try {
    return await play(await prepare(stack, scenario, sandbox, lastTag));
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    return { kind: 'failed', findings: [{ kind: 'disagreement', what }] };
  } finally {
    stack.providerProxy.setListener(null);
    await sandbox.close();
  }
}

async function prepare(
  stack: FaultStack,
  scenario: OnboardingScenario,
  sandbox: RunningSandbox,
  tag: number,
): Promise<Play> {
  const applicants = applicantsOf(scenario, tag);
  stack.providerProxy.setTarget(sandbox.url);
  for (const worker of [0, 1]) stack.setClock(worker, scenario.clocksMs[worker] ?? 0);
  await stack.setWorkerCount(scenario.workers);
  const onboarders = await onboardersOn(stack);
  const elsewhere = await usersElsewhere(sandbox, applicants);
  // The suite's own requests bypassed payrun's rate limiter, so they must not share a second with payrun's requests.
  await sleep(LIMIT_PERIOD_MS);
  await orderFaults(sandbox, ...scenario.faults);
  const signUps = new SignUpRequests();
  const people = new People(onboarders, sandbox, signUps);
  const disruptions = new Disruptions({ stack, sandboxUrl: sandbox.url }, scenario.disruptions);
  const prefix = `faults-${tag}-`;
  return { stack, scenario, sandbox, prefix, applicants, elsewhere, onboarders, signUps, people, disruptions };
}

async function usersElsewhere(
  sandbox: RunningSandbox,
  applicants: readonly ScenarioApplicant[],
): Promise<Map<string, string>> {
  const users = new Map<string, string>();
  for (const applicant of applicants) {
    const { way } = applicant.plan;
    if (way !== 'taken_over' && way !== 'other_person') continue;
    const differences: Record<string, string> = way === 'taken_over' ? {} : { lastName: `${MARK} Else` };
    users.set(applicant.applicantRef, await signUpElsewhere(sandbox, applicant, differences));
  }
  return users;
}

async function play(played: Play): Promise<Outcome> {
  const { stack, scenario, signUps, disruptions, people } = played;
  const startedMs = performance.now();
  const fired: Promise<void>[] = [];
  const onRequest = requestTriggers(scenario.disruptions, (disruption, request) => {
    fired.push(disruptions.fire(disruption, request));
  });
  stack.providerProxy.resetCounts();
  stack.providerProxy.setListener(async (request) => {
    signUps.note(request);
    onRequest(request);
    await Promise.all(fired.splice(0));
  });
  disruptions.fireAtSubmission();
  await submitAll(played);
  const passes = await untilAllEnded(played);
  await disruptions.untilOver();
  await people.untilDone();
  await untilRepaired(stack);
  const { findings, states } = await compare(played);
  const all = [...people.findings, ...findings];
  if (all.length > 0) return { kind: 'failed', findings: all };
  return {
    kind: 'passed',
    missed: await missedIn(played),
    remarks: remarksOf(played, states, { passes, forMs: performance.now() - startedMs }),
  };
}

async function missedIn({ sandbox, disruptions }: Play): Promise<string[]> {
  const faults = (await faultsOf(sandbox)).filter(({ injected, probability }) => injected === 0 && probability === 1);
  return [
    ...disruptions.missed().map(describeOnboardingDisruption),
    ...faults.map(({ kind, operation }) => `${kind} on ${operation}`),
  ];
}

/** Submits all applicants, those of the CSV twice, until the server has accepted each file. */
async function submitAll({ applicants, onboarders, elsewhere, people }: Play): Promise<void> {
  const inCsv = applicants.filter(({ plan }) => plan.way === 'csv');
  const csv = inCsv.length === 0 ? [] : [csvSubmission(inCsv)];
  const others = applicants.filter(({ plan }) => plan.way !== 'csv');
  const single = others.map((each) => yamlSubmission(each, elsewhere.get(each.applicantRef) ?? null));
  for (const file of [...csv, ...single, ...csv]) await submit(onboarders, file);
  const attempts = applicants
    .filter(({ plan }) => plan.withdrawn === 'at_once')
    .map(({ caseId }) => people.withdraw(caseId).catch(() => undefined));
  await Promise.all(attempts);
}

async function submit({ first }: Onboarders, file: ApplicantsToSubmit): Promise<void> {
  await untilWithin(ACCEPTED_WITHIN_MS, `${file.fileName} is accepted`, async () => {
    try {
      await first.submitApplicants(file);
      return true;
    } catch (error) {
      if (!(error instanceof ApplicantsRefusedError)) return false;
      const problems = error.problems.map(({ code, field }) => `${code} ${String(field)}`);
      throw new Error(`${file.fileName} was refused: ${problems.join(', ')}`);
    }
  });
}

/** Until every case has ended, or the time is over; how often hours passed meanwhile. */
async function untilAllEnded({ stack, scenario, prefix, applicants, people, disruptions }: Play): Promise<number> {
  const deadlineMs = performance.now() + ENDS_WITHIN_MS;
  let passes = 0;
  let seen = '';
  let quietSinceMs = performance.now();
  while (performance.now() < deadlineMs) {
    await sleep(LOOK_EVERY_MS);
    const cases = await recordedCases(stack.database, prefix).catch(() => null);
    if (cases === null) continue;
    disruptions.look(cases);
    for (const applicant of applicants) {
      const shown = cases.find(({ caseId }) => caseId === applicant.caseId);
      if (shown === undefined) continue;
      if (!isExplained(scenario, shown)) {
        const why = [String(shown.stateReason), ...shown.missing].join(' ');
        people.say(
          applicant,
          'disagreement',
          `the case is ${shown.state} (${why}), and nothing in the scenario explains it`,
        );
      }
      people.attend(applicant, shown);
    }
    if (cases.every(({ hasEnded }) => hasEnded)) return passes;
    const now = JSON.stringify(cases);
    if (now !== seen || disruptions.areUnderWay()) quietSinceMs = performance.now();
    seen = now;
    if (performance.now() - quietSinceMs < QUIET_MS || !cases.some(waitsForNews)) continue;
    await letHoursPass(stack).catch(() => undefined);
    passes += 1;
    quietSinceMs = performance.now();
  }
  return passes;
}

const waitsForNews = ({ state }: RecordedCase): boolean => state === 'unknown' || OBSERVED_CASE_STATES.includes(state);

async function compare(played: Play): Promise<{ findings: Finding[]; states: string[] }> {
  const { stack, scenario, sandbox, prefix, applicants, elsewhere, signUps } = played;
  const workflows = () =>
    Promise.all(applicants.map(async ({ caseId }) => [caseId, await workflowOfCase(stack.temporal, caseId)] as const));
  const cases = await recordedCases(stack.database, prefix);
  if (cases.every(({ hasEnded }) => hasEnded)) {
    await untilWithin(WORKFLOWS_END_WITHIN_MS, 'every workflow has ended', async () =>
      (await workflows()).every(([, { status }]) => status !== 'RUNNING'),
    ).catch(() => undefined);
  }
  const findings = compareOnboarding({
    applicants,
    users: await usersAt(sandbox),
    elsewhere: new Set(elsewhere.values()),
    cases: await recordedCases(stack.database, prefix),
    workflows: new Map(await workflows()),
    signUps,
    ledger: sandbox.ledger(),
    keepsCompanyName: scenario.sandbox.signupCompanyName !== 'off',
    limitPerSecond: REQUESTS_PER_SECOND,
  });
  const files = filesWithMarks(stack.home);
  if (files.length > 0) findings.push({ kind: 'disagreement', what: `personal data is in ${files.join(', ')}` });
  return { findings, states: cases.map(({ state }) => state) };
}

/** How the scenario went, so that one in which little happened is seen. */
function remarksOf(
  { people, signUps }: Play,
  states: readonly string[],
  { passes, forMs }: { passes: number; forMs: number },
): string {
  const ends = [...new Set(states)].sort().map((state) => `${states.filter((each) => each === state).length} ${state}`);
  const { supplied, withdrawn, resolved } = people.counts;
  const acts = `supplied ${supplied}, withdrawn ${withdrawn}, resolved ${resolved}`;
  return `${ends.join(', ')}; ${acts}; ${signUps.total()} sign-ups; hours passed ${passes} times, ${Math.round(forMs / 1_000)} s`;
}
