import { expect } from 'vitest';
import type { ProviderClient } from '../../provider/client.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import { isStorageOperation, hasRecordId, type Operation } from '../../provider/operations.ts';
import { parseWebhook, type WebhookEvent } from '../../provider/webhooks/webhooks.ts';
import { defaultAccount } from '../../sandbox/config/accounts.ts';
import type { LedgerReport } from '../../sandbox/control/ledger-report.ts';
import { aClient } from '../provider/local-provider.ts';
import { type Answer, Caller, type Loose } from '../sandbox/a-sandbox.ts';
import { type Allowance, checkAnswer, checkSeededAnswer } from './check-answer.ts';
import { ENDPOINTS, type EndpointId } from './endpoints.ts';
import { clientWithoutAdditionalFields, withoutAdditionalFields } from './additional-fields.ts';
import { recordCalls } from './recorded-calls.ts';
import type { SandboxUnderTest } from './open-sandbox.ts';
import { clientOptionsOf } from './settings.ts';
import { sandboxFormat } from './answer-formats.ts';

/** The variable parts of a request to an endpoint. */
interface Parts {
  readonly params?: Readonly<Record<string, string | null>>;
  readonly query?: string;
  readonly body?: unknown;
  readonly allow?: Allowance;
}

/** An expected refusal. `field` is the beginning of the message. */
interface ExpectedRefusal {
  readonly kind: ProviderFailure['kind'];
  readonly status: number;
  readonly code: string;
  readonly field?: string;
}

/**
 * What a case works with: a client, raw requests, the sandbox's control endpoints, and the notifications that were
 * sent.
 */
export class ContractContext {
  readonly client: ProviderClient;
  readonly called: ReadonlySet<string>;
  readonly caller: Caller;
  readonly #open: SandboxUnderTest;
  readonly #clock: { nowMs: number };

  /** `clock` has the time of the sandbox's clock, which continues from one case to the next. */
  constructor(open: SandboxUnderTest, clock: { nowMs: number }) {
    this.#open = open;
    this.#clock = clock;
    this.caller = new Caller(open.sandbox, defaultAccount.apiKey);
    const { client, called } = recordCalls(this.anotherClient());
    this.client = client;
    this.called = called;
  }

  /** A client with the given credentials, by default those of the first account. */
  anotherClient(credentials = defaultAccount): ProviderClient {
    const options = { ...clientOptionsOf(this.#open.settings), credentials, now: () => this.nowMs };
    const client = aClient({ baseUrl: this.#open.clientUrl }, options);
    return this.isSeeded ? clientWithoutAdditionalFields(client) : client;
  }

  /** The value of a setting in this combination. @throws Error for an unknown setting */
  setting(name: string): string {
    const value = this.#open.settings.get(name);
    if (value === undefined) throw new Error(`${name} is not a setting`);
    return value;
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

  /** Sends a raw request to an endpoint. */
  async send(id: EndpointId, parts: Parts = {}, caller = this.caller): Promise<Answer> {
    if (caller.token === '') {
      const { accessKeyId, secretAccessKey } = this.#open.credentialsOf(caller.apiKey);
      await caller.signIn(accessKeyId, secretAccessKey);
    }
    const [method, shown] = ENDPOINTS[id];
    const template = id === 'virtual-account-request-retrieve' ? this.setting('va-request-path') : (shown ?? '');
    const path = template.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(parts.params?.[name] ?? ''));
    return caller.send(method ?? 'GET', `${path}${parts.query ?? ''}`, parts.body);
  }

  /** As `send`, when it must succeed: checks the answer against the contract's list of fields, and unwraps it. */
  async ask(id: EndpointId, parts: Parts = {}): Promise<Loose> {
    const { status, body, text } = await this.send(id, parts);
    expect([id, status, text]).toEqual([id, 200, text]);
    if (this.isSeeded) return checkSeededAnswer(id, withoutAdditionalFields(body), parts.allow);
    return checkAnswer(id, body, parts.allow);
  }

  async askList(id: EndpointId, parts: Parts = {}): Promise<readonly Loose[]> {
    return (await this.ask(id, parts)) as unknown as readonly Loose[];
  }

  /**
   * As `send`, when it must be refused. Raw requests do not pass the proxy that rewrites the client's answers, so there
   * is nothing to check when there is one.
   */
  async expectRawRefusal(id: EndpointId, parts: Parts, expected: Omit<ExpectedRefusal, 'kind'>): Promise<void> {
    if (this.#open.form !== sandboxFormat) return;
    const { status, body } = await this.send(id, parts);
    if (this.isSeeded) {
      expect([id, status >= 400 && status < 500]).toEqual([id, true]);
      return;
    }
    expect({ id, status, code: body['code'] }).toEqual({ id, status: expected.status, code: expected.code });
    if (expected.field !== undefined) expect(body['message']).toContain(`${expected.field}:`);
  }

  /** Each of the invalid fields must be refused by its name. `good` is a valid body. */
  async expectFieldsRefused(id: EndpointId, parts: Parts, good: object, invalid: Readonly<Record<string, unknown>>) {
    for (const [place, value] of Object.entries(invalid)) {
      const body = { ...good, [place]: value };
      await this.expectRawRefusal(id, { ...parts, body }, { status: 400, code: 'validation_failed', field: place });
    }
  }

  /** Neither an unknown id nor another caller may find this caller's record. */
  async expectHidden(id: EndpointId, params: Readonly<Record<string, string | null>>, body?: unknown): Promise<void> {
    const unknown = Object.fromEntries(Object.keys(params).map((name) => [name, 'unknown-id']));
    const given = body === undefined ? {} : { body };
    await this.expectRawRefusal(id, { params: unknown, ...given }, { status: 404, code: 'not_found' });
    if (this.#open.form !== sandboxFormat) return;
    const other = await this.send(id, { params, ...given }, new Caller(this.#open.sandbox, this.#open.otherApiKey));
    expect([id, other.status]).toEqual([id, 404]);
  }

  /** A call of the client that the provider must refuse, in any error format. */
  async expectRefused(call: Promise<unknown>, expected: ExpectedRefusal): Promise<void> {
    const failure = await call.then(
      () => null,
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(ProviderFailure);
    const { kind, httpStatus, providerCode, providerMessage, operation } = failure as ProviderFailure;
    if (this.isSeeded && ['refused', 'duplicate_reference'].includes(expected.kind)) {
      expect(['refused', 'duplicate_reference']).toContain(kind);
      return;
    }
    const form = this.#open.form.error;
    const code = form && !form.keepsCode ? null : expected.code;
    expect({ kind, httpStatus, providerCode }).toEqual({
      kind: this.#isFromGateway(expected, operation) ? 'unknown_outcome' : expected.kind,
      httpStatus: expected.status,
      providerCode: code,
    });
    if (form && !form.keepsMessage) expect(providerMessage).toBeNull();
    else if (expected.field !== undefined) expect(providerMessage).toContain(`${expected.field}:`);
  }

  /** The status in the answer to a creation: a seed may have it before the funds are awaited, in words of its own. */
  expectCreated(status: unknown): void {
    expect(['awaiting_funds', ...(this.isSeeded ? ['initiated', 'created', 'pending'] : [])]).toContain(status);
  }

  /** Whether the sandbox draws from its seed what the contract leaves open. */
  get isSeeded(): boolean {
    return this.setting('answers') === 'seeded';
  }

  /** The client takes an HTML page, and a "not found" without a readable message, for the answer of a gateway. */
  #isFromGateway({ kind, status }: ExpectedRefusal, operation: Operation): boolean {
    const type = this.#open.form.error?.contentType;
    if (kind !== 'refused' || type === undefined || isStorageOperation(operation)) return false;
    return type === 'text/html' || (type === 'text/plain' && status === 404 && !hasRecordId(operation));
  }

  /** A call that the client must refuse to send. */
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

  /** All notifications, oldest first, after all that were sent have been received. */
  async events(): Promise<WebhookEvent[]> {
    const { deliveries } = (await this.caller.get('/__sandbox/webhooks')).body;
    const sent = (deliveries as unknown as { body: string; outcome: string }[])
      .filter(({ outcome }) => outcome !== 'dropped')
      .map(({ body }) => body);
    const count = (list: readonly string[], body: string): number => list.filter((other) => other === body).length;
    const { receiver } = this.#open;
    await receiver.until((bodies) => sent.every((body) => count(bodies, body) >= count(sent, body)));
    const events = receiver.bodies.filter((body) => sent.includes(body)).map(parseWebhook);
    return this.isSeeded ? events.map(withoutAdditionalFields) : events;
  }

  /** The notifications that contain an id. */
  async eventsOf(id: string | null): Promise<WebhookEvent[]> {
    return (await this.events()).filter(({ raw }) => id !== null && Object.values(raw).includes(id));
  }

  /** Waits for this many notifications that contain an id. */
  async waitForEvents(id: string, times: number): Promise<void> {
    await this.#open.receiver.until((bodies) => bodies.filter((body) => body.includes(`"${id}"`)).length >= times);
  }

  /** The statuses in the notifications of an id, oldest first. */
  async notifiedStatuses(id: string | null): Promise<string[]> {
    return (await this.eventsOf(id)).map((event) => ('status' in event ? event.status : 'unknown'));
  }

  /** All notifications of an id have this kind. */
  async expectKind(id: string | null, kind: WebhookEvent['kind']): Promise<void> {
    expect([...new Set((await this.eventsOf(id)).map((event) => event.kind))]).toEqual([kind]);
  }
}
