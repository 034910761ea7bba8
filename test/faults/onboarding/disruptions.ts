import { type ActionContext, performAction } from '../perform-action.ts';
import type { ProxiedRequest } from '../provider-proxy.ts';
import { interruptWrites } from './interrupt-writes.ts';
import type { InterruptWrites, OnboardingAction, OnboardingDisruption } from './onboarding-scenario.ts';
import type { RecordedCase } from './recorded-cases.ts';

/** The disruptions of a scenario: which have happened, and which are under way. */
export class Disruptions {
  readonly #context: ActionContext;
  readonly #waiting: Set<OnboardingDisruption>;
  /** Fired, and found nothing to disrupt. */
  readonly #missed = new Set<OnboardingDisruption>();
  readonly #underWay = new Set<Promise<void>>();

  constructor(context: ActionContext, disruptions: readonly OnboardingDisruption[]) {
    this.#context = context;
    this.#waiting = new Set(disruptions);
  }

  /** Resolves once the answer to the request may be forwarded. */
  async fire(disruption: OnboardingDisruption, request: ProxiedRequest | null): Promise<void> {
    const { action } = disruption;
    this.#waiting.delete(disruption);
    if (action.kind === 'interrupt_writes') {
      const { isHeld, interrupted } = interruptWrites(this.#context.stack, action, request?.worker ?? 0);
      this.#run(disruption, interrupted);
      await isHeld;
    } else this.#run(disruption, this.#perform(action, request));
  }

  /** `performed`: false if there was nothing to disrupt. */
  #run(disruption: OnboardingDisruption, performed: Promise<boolean>): void {
    const running = performed
      .catch(() => false)
      .then((hasHappened) => {
        if (!hasHappened) this.#missed.add(disruption);
        this.#underWay.delete(running);
      });
    this.#underWay.add(running);
  }

  fireAtSubmission(): void {
    for (const disruption of [...this.#waiting])
      if (disruption.trigger.on === 'submitted') void this.fire(disruption, null);
  }

  /** Fires those whose trigger is about these cases. */
  look(cases: readonly RecordedCase[]): void {
    for (const disruption of [...this.#waiting]) {
      const { trigger } = disruption;
      if (trigger.on !== 'cases') continue;
      if (cases.filter(({ state }) => trigger.states.includes(state)).length >= trigger.atLeast)
        void this.fire(disruption, null);
    }
  }

  areUnderWay(): boolean {
    return this.#underWay.size > 0;
  }

  async untilOver(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /** Those that did not happen. */
  missed(): OnboardingDisruption[] {
    return [...this.#waiting, ...this.#missed];
  }

  async #perform(action: Exclude<OnboardingAction, InterruptWrites>, request: ProxiedRequest | null): Promise<boolean> {
    if (action.kind === 'forge_user_webhooks') await this.#forgeUserWebhooks(request);
    else await performAction(this.#context, action, request);
    return true;
  }

  /** Says that the user of the request's answer, and one who does not exist, is approved. */
  async #forgeUserWebhooks(request: ProxiedRequest | null): Promise<void> {
    const text = request?.body?.toString('utf8') ?? '';
    const id = /"(?:userId|id)":"([^"]+)"/.exec(text)?.[1];
    for (const resourceId of [id, '00000000-0000-4000-8000-000000000000']) {
      if (resourceId === undefined) continue;
      await fetch(this.#context.stack.webhookUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ resource: 'user', resourceId, status: 'approved' }),
      }).catch(() => undefined);
    }
  }
}
