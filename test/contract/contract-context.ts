import { expect } from 'vitest';
import type { ProviderClient } from '../../provider/client.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import { isWithStorage, namesARecord, type Operation } from '../../provider/operations.ts';
import { parseWebhook, type WebhookEvent } from '../../provider/webhooks/webhooks.ts';
import { defaultAccount } from '../../sandbox/config/defaults.ts';
import type { LedgerReport } from '../../sandbox/control/ledger-report.ts';
import { aClient } from '../provider/local-provider.ts';
import { type Answer, Caller, type Loose } from '../sandbox/a-sandbox.ts';
import { type Allowance, checkAnswer, checkDrawnAnswer } from './check-answer.ts';
import { ENDPOINTS, type EndpointId } from './endpoints.ts';
import { readingWithoutAdditional, withoutAdditional } from './drawn-answers.ts';
import { noting } from './noted-calls.ts';
import type { OpenSandbox } from './open-sandbox.ts';
import { clientOptionsOf } from './settings.ts';
import { asTheSandboxWrites } from './wire-forms.ts';

/** What a request of our own carries besides what its endpoint says. */
interface Parts {
  readonly params?: Readonly<Record<string, string | null>>;
  readonly query?: string;
  readonly body?: unknown;
  readonly allow?: Allowance;
}

/** A refusal as a case expects it. `field` is what the message begins with. */
interface ExpectedRefusal {
  readonly kind: ProviderFailure['kind'];
  readonly status: number;
  readonly code: string;
  readonly field?: string;
}

/** What a case works with: a client, requests of its own, the control door, and the notifications that were sent. */
export class ContractContext {
  readonly client: ProviderClient;
  readonly called: ReadonlySet<string>;
  readonly caller: Caller;
  readonly #open: OpenSandbox;
  readonly #clock: { nowMs: number };

  /** `clock` shows what the sandbox's clock shows, which goes on from one case to the next. */
  constructor(open: OpenSandbox, clock: { nowMs: number }) {
    this.#open = open;
    this.#clock = clock;
    this.caller = new Caller(open.sandbox, defaultAccount.apiKey);
    const { client, called } = noting(this.anotherClient());
    this.client = client;
    this.called = called;
  }

  /** A client with credentials of its own, or those of the first account. */
  anotherClient(credentials = defaultAccount): ProviderClient {
    const options = { ...clientOptionsOf(this.#open.words), credentials, now: () => this.nowMs };
    const client = aClient({ baseUrl: this.#open.clientUrl }, options);
    return this.isDrawn ? readingWithoutAdditional(client) : client;
  }

  /** The word that a setting has here. @throws Error for an unknown setting */
  word(setting: string): string {
    const word = this.#open.words.get(setting);
    if (word === undefined) throw new Error(`${setting}: is no setting`);
    return word;
  }

  get url(): string {
    return this.#open.sandbox.url;
  }

  get nowMs(): number {
    return this.#clock.nowMs;
  }

  ledger(): LedgerReport {
    return this.#open.sandbox.ledger(defaultAccount.apiKey);
  }

  /** Sends what an endpoint asks for, as the contract writes it. */
  async send(id: EndpointId, parts: Parts = {}, caller = this.caller): Promise<Answer> {
    if (caller.token === '') {
      const { accessKeyId, secretAccessKey } = this.#open.credentialsOf(caller.apiKey);
      await caller.signIn(accessKeyId, secretAccessKey);
    }
    const [method, shown] = ENDPOINTS[id];
    const template = id === 'virtual-account-request-retrieve' ? this.word('va-request-path') : (shown ?? '');
    const path = template.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(parts.params?.[name] ?? ''));
    return caller.send(method ?? 'GET', `${path}${parts.query ?? ''}`, parts.body);
  }

  /** The same, when it must succeed: checks the answer against the contract's list of fields, and unwraps it. */
  async ask(id: EndpointId, parts: Parts = {}): Promise<Loose> {
    const { status, body, text } = await this.send(id, parts);
    expect([id, status, text]).toEqual([id, 200, text]);
    if (this.isDrawn) return checkDrawnAnswer(id, withoutAdditional(body), parts.allow);
    return checkAnswer(id, body, parts.allow);
  }

  async askList(id: EndpointId, parts: Parts = {}): Promise<readonly Loose[]> {
    return (await this.ask(id, parts)) as unknown as readonly Loose[];
  }

  /**
   * The same, when it must be refused. Requests of our own do not pass what rewrites the client's answers, so where
   * something does, they would show nothing that was not shown without it.
   */
  async expectNo(id: EndpointId, parts: Parts, expected: Omit<ExpectedRefusal, 'kind'>): Promise<void> {
    if (this.#open.form !== asTheSandboxWrites) return;
    const { status, body } = await this.send(id, parts);
    if (this.isDrawn) {
      expect([id, status >= 400 && status < 500]).toEqual([id, true]);
      return;
    }
    expect({ id, status, code: body['code'] }).toEqual({ id, status: expected.status, code: expected.code });
    if (expected.field !== undefined) expect(body['message']).toContain(`${expected.field}:`);
  }

  /** Fields that are wrong, each alone, must be refused by their names. `good` is the body that is accepted. */
  async expectFieldsRefused(id: EndpointId, parts: Parts, good: object, wrong: Readonly<Record<string, unknown>>) {
    for (const [place, value] of Object.entries(wrong)) {
      const body = { ...good, [place]: value };
      await this.expectNo(id, { ...parts, body }, { status: 400, code: 'validation_failed', field: place });
    }
  }

  /** Neither an invented id nor another caller may find what is this caller's. */
  async expectHidden(id: EndpointId, params: Readonly<Record<string, string | null>>, body?: unknown): Promise<void> {
    const invented = Object.fromEntries(Object.keys(params).map((name) => [name, 'nobodys']));
    const given = body === undefined ? {} : { body };
    await this.expectNo(id, { params: invented, ...given }, { status: 404, code: 'not_found' });
    if (this.#open.form !== asTheSandboxWrites) return;
    const other = await this.send(id, { params, ...given }, new Caller(this.#open.sandbox, this.#open.otherApiKey));
    expect([id, other.status]).toEqual([id, 404]);
  }

  /** A call of the client that the provider must refuse, in whatever form it writes errors here. */
  async expectRefused(call: Promise<unknown>, expected: ExpectedRefusal): Promise<void> {
    const failure = await call.then(
      () => null,
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(ProviderFailure);
    const { kind, httpStatus, providerCode, providerMessage, operation } = failure as ProviderFailure;
    if (this.isDrawn && ['refused', 'duplicate_reference'].includes(expected.kind)) {
      expect(['refused', 'duplicate_reference']).toContain(kind);
      return;
    }
    const form = this.#open.form.error;
    const code = form && !form.keepsCode ? null : expected.code;
    expect({ kind, httpStatus, providerCode }).toEqual({
      kind: this.#isOfAGateway(expected, operation) ? 'unknown_outcome' : expected.kind,
      httpStatus: expected.status,
      providerCode: code,
    });
    if (form && !form.keepsMessage) expect(providerMessage).toBeNull();
    else if (expected.field !== undefined) expect(providerMessage).toContain(`${expected.field}:`);
  }

  /** Where the contract is silent, the seed says what is answered. */
  get isDrawn(): boolean {
    return this.word('answers') === 'drawn';
  }

  /** A page, and a "not found" in no words that can be read, is for the client what something in between has said. */
  #isOfAGateway({ kind, status }: ExpectedRefusal, operation: Operation): boolean {
    const type = this.#open.form.error?.contentType;
    if (kind !== 'refused' || type === undefined || isWithStorage(operation)) return false;
    return type === 'text/html' || (type === 'text/plain' && status === 404 && !namesARecord(operation));
  }

  /** A call that the client must not even send. */
  async expectUnsent(call: Promise<unknown>, field: string): Promise<void> {
    await expect(call).rejects.toMatchObject({ name: 'InvalidRequest', field });
  }

  async control(call: string, body: object): Promise<Loose> {
    const answer = await this.caller.post(`/__sandbox/${call}?key=${this.caller.apiKey}`, body);
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
    return answer.body;
  }

  /** Moves the clock that the sandbox and the client share. */
  async advance(byMs: number): Promise<void> {
    await this.control('clock', { advanceMs: byMs });
    this.#clock.nowMs += byMs;
  }

  /** All notifications, oldest first, once all that were sent have been received. */
  async events(): Promise<WebhookEvent[]> {
    const { deliveries } = (await this.caller.get('/__sandbox/webhooks')).body;
    const sent = (deliveries as unknown as { body: string; outcome: string }[])
      .filter(({ outcome }) => outcome !== 'dropped')
      .map(({ body }) => body);
    const count = (list: readonly string[], body: string): number => list.filter((other) => other === body).length;
    const { receiver } = this.#open;
    await receiver.until((bodies) => sent.every((body) => count(bodies, body) >= count(sent, body)));
    const events = receiver.bodies.filter((body) => sent.includes(body)).map(parseWebhook);
    return this.isDrawn ? events.map(withoutAdditional) : events;
  }

  /** Those in which an id stands. */
  async eventsOf(id: string | null): Promise<WebhookEvent[]> {
    return (await this.events()).filter(({ raw }) => id !== null && Object.values(raw).includes(id));
  }

  /** Until so many notifications have come in which an id stands. */
  async received(id: string, times: number): Promise<void> {
    await this.#open.receiver.until((bodies) => bodies.filter((body) => body.includes(`"${id}"`)).length >= times);
  }

  /** The statuses that notifications told of an id, oldest first. */
  async statusesTold(id: string | null): Promise<string[]> {
    return (await this.eventsOf(id)).map((event) => ('status' in event ? event.status : 'unknown'));
  }

  /** What notifications told of an id is all of one kind. */
  async expectKind(id: string | null, kind: WebhookEvent['kind']): Promise<void> {
    expect([...new Set((await this.eventsOf(id)).map((event) => event.kind))]).toEqual([kind]);
  }
}
