import { PayrunApiError, type PayrunClient } from '../../../client/sdk/index.ts';
import { SUPPLIABLE_CASE_STATES } from '../../../domain/onboarding/case-state.ts';
import type { RunningSandbox } from '../../../sandbox/server.ts';
import type { FaultStack } from '../fault-stack.ts';
import type { Finding } from '../outcome.ts';
import { documentOf, type Given, MARK, type ScenarioApplicant, yamlOf } from './applicants.ts';
import { eventsOf, usersAt } from './sandbox-users.ts';
import type { RecordedCase } from './recorded-cases.ts';
import type { SignUpRequests } from './sign-up-requests.ts';

/** Two onboarders, since nobody confirms what they have proposed themselves. */
export interface Onboarders {
  first: PayrunClient;
  second: PayrunClient;
}

const onboardersOf = new WeakMap<FaultStack, Promise<Onboarders>>();

/** The onboarders of a stack, who are added before its first scenario. */
export function onboardersOn(stack: FaultStack): Promise<Onboarders> {
  const known = onboardersOf.get(stack) ?? addOnboarders(stack);
  onboardersOf.set(stack, known);
  return known;
}

async function addOnboarders(stack: FaultStack): Promise<Onboarders> {
  return {
    first: await stack.addUser('olivia', 'onboarder'),
    second: await stack.addUser('omar', 'onboarder'),
  };
}

/** More requests for something than any scenario leads to. */
const MAX_REVISIONS = 10;
/** How long a user whom an event named may stay unfound, with hours passing in between. */
const FOUND_WITHIN_MS = 60_000;
/** After so long nothing is under way that still brings the user. */
const RESOLVED_AFTER_MS = 8_000;

/** What the onboarders of a scenario do: they give what is asked for, withdraw, and resolve what stays unknown. */
export class People {
  readonly findings: Finding[] = [];
  /** How often they did something. */
  readonly counts = { supplied: 0, withdrawn: 0, resolved: 0 };
  readonly #onboarders: Onboarders;
  readonly #sandbox: RunningSandbox;
  readonly #signUps: SignUpRequests;
  readonly #atWork = new Map<string, Promise<void>>();
  readonly #unknownSinceMs = new Map<string, number>();
  readonly #reported = new Set<string>();

  constructor(onboarders: Onboarders, sandbox: RunningSandbox, signUps: SignUpRequests) {
    this.#onboarders = onboarders;
    this.#sandbox = sandbox;
    this.#signUps = signUps;
  }

  /** Begins what the case asks of people, unless they are at it. A failure is repeated when they look again. */
  attend(applicant: ScenarioApplicant, shown: RecordedCase): void {
    if (shown.state !== 'unknown') this.#unknownSinceMs.delete(shown.caseId);
    if (this.#atWork.has(shown.caseId)) return;
    const work = this.#workFor(applicant, shown);
    if (work === null) return;
    const done = work.catch((error: unknown) => this.#noteFailure(applicant, error));
    this.#atWork.set(
      shown.caseId,
      done.finally(() => this.#atWork.delete(shown.caseId)),
    );
  }

  async untilDone(): Promise<void> {
    await Promise.all(this.#atWork.values());
  }

  #workFor(applicant: ScenarioApplicant, shown: RecordedCase): Promise<void> | null {
    if (shown.state === 'unknown') return this.#resolve(applicant, shown);
    if (!SUPPLIABLE_CASE_STATES.includes(shown.state)) return null;
    if (shown.revision < MAX_REVISIONS && applicant.plan.withdrawn === null) return this.#supply(applicant, shown);
    if (applicant.plan.withdrawn === null)
      this.say(applicant, 'disagreement', `asked for something ${shown.revision} times`);
    return this.withdraw(shown.caseId);
  }

  /** Once for each text. */
  say({ applicantRef }: ScenarioApplicant, kind: Finding['kind'], text: string): void {
    const what = `${applicantRef}: ${text}`;
    if (this.#reported.has(what)) return;
    this.#reported.add(what);
    this.findings.push({ kind, what });
  }

  async withdraw(caseId: string): Promise<void> {
    await this.#onboarders.first.withdrawCase({ caseId, reason: `${MARK} wants it no longer` });
    this.counts.withdrawn += 1;
  }

  /** Whether it took effect shows the revision of the case: the same is given again until it does. */
  async #supply(applicant: ScenarioApplicant, { caseId, revision, missing }: RecordedCase): Promise<void> {
    const next = nextGiven(applicant, revision, missing);
    applicant.given.set(revision + 1, next);
    const documents = [...next.documents].filter(([, document]) => document.revision === revision + 1);
    const supply = {
      caseId,
      revision,
      fileName: 'new-values.yaml',
      content: yamlOf({ residential_address: next.values['residential_address'] ?? '' }, documents),
      documents: documents.map(([, document]) => document),
    };
    await this.#onboarders.first.supplyCase(supply);
    this.counts.supplied += 1;
  }

  /** Only the provider's own list, which payrun does not have, says what became of the sign-up. */
  async #resolve(applicant: ScenarioApplicant, { caseId, stateReason }: RecordedCase): Promise<void> {
    const sinceMs = this.#unknownSinceMs.get(caseId) ?? performance.now();
    this.#unknownSinceMs.set(caseId, sinceMs);
    const forMs = performance.now() - sinceMs;
    if (forMs < RESOLVED_AFTER_MS || this.#signUps.of(applicant.emailSha256).underWay > 0) return;
    const user = (await usersAt(this.#sandbox)).find(({ emailSha256 }) => emailSha256 === applicant.emailSha256);
    if (user !== undefined) {
      const { received, waiting } = await eventsOf(this.#sandbox, user.userId);
      if (waiting > 0 || (received > 0 && forMs < FOUND_WITHIN_MS)) return;
      if (received > 0) this.say(applicant, 'unknown', 'an event named the user, and the case is still unknown');
    }
    const { first, second } = this.#onboarders;
    const shown = await first.getCase({ caseId });
    if (shown.state !== 'unknown') return;
    if (stateReason === null || shown.stateReason === null || shown.sentences.toDo === null) {
      this.say(applicant, 'unknown', 'the case is unknown, and no reason is shown');
    }
    const open = shown.manualOutcomes.find(({ state }) => state === 'proposed');
    if (open !== undefined && open.confirmedBy !== null) return;
    const reason = 'the provider says so';
    const proposed =
      open === undefined
        ? await first.proposeCaseManualOutcome({
            caseId,
            ...(user === undefined
              ? { outcome: 'never_created', reason }
              : { outcome: 'signed_up', userId: user.userId, reason }),
          })
        : shown;
    const manualOutcomeId = proposed.manualOutcomes.find(({ state }) => state === 'proposed')?.manualOutcomeId ?? '';
    await second.confirmCaseManualOutcome({ caseId, manualOutcomeId });
    this.counts.resolved += 1;
  }

  /** Services that are down, and cases that moved on meanwhile, are no finding: people look again. */
  #noteFailure(applicant: ScenarioApplicant, error: unknown): void {
    if (!(error instanceof PayrunApiError) || error.status >= 500 || error.code === 'conflict') return;
    this.say(applicant, 'disagreement', `people cannot go on: ${error.code}: ${error.message}`);
  }
}

/** What the onboarder gives as the next revision: always the same for the same request. */
function nextGiven(applicant: ScenarioApplicant, revision: number, missing: readonly string[]): Given {
  const { given, applicantRef, plan } = applicant;
  const last = given.get(revision);
  if (last === undefined) throw new Error(`${applicantRef} did not give revision ${revision}`);
  const slots = [...last.documents.keys()];
  const wanted = slots.filter((slot, index) => (plan.newFiles && index === 0) || missing.includes(`document_${slot}`));
  const documents = new Map(last.documents);
  for (const slot of wanted) documents.set(slot, documentOf(applicantRef, slot, revision + 1, 300 + revision));
  return {
    values: { ...last.values, residential_address: `${MARK} ${revision + 1} Avenue` },
    documents,
  };
}
