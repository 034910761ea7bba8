import { type Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { parse } from 'lossless-json';
import { defaultAccount } from '../../sandbox/config/accounts.ts';
import type { RunningSandbox } from '../../sandbox/server.ts';
import { asText } from './a-sandbox.ts';

/** JSON with every number as text, so that amounts can be compared and added exactly. */
export interface Json {
  readonly [key: string]: Json;
}

/**
 * What a caller knows after a request: it was done, it was not done (refused before any effect), or the answer does not
 * tell.
 */
export type Outcome =
  | { kind: 'done'; body: Json }
  | { kind: 'not_done'; status: number; body: Json }
  | { kind: 'open' };

/** More than the faults of any run; a read that fails this often is a defect. */
const READ_ATTEMPTS = 40;

const TIMEOUT_MS = 5_000;

const credentials = (({ accessKeyId, secretAccessKey }) => ({ accessKeyId, secretAccessKey }))(defaultAccount);

/** Calls a sandbox with one API key over persistent connections, and recognizes every kind of lost answer. */
export class CarefulCaller {
  readonly sandbox: RunningSandbox;
  readonly apiKey: string;
  readonly #agent: Agent;
  #token = '';

  constructor(sandbox: RunningSandbox, apiKey: string, agent: Agent) {
    this.sandbox = sandbox;
    this.apiKey = apiKey;
    this.#agent = agent;
  }

  /** A request that may have an effect: sent once, and again after a 401, which has none. */
  async send(path: string, body?: object, method?: string): Promise<Outcome> {
    const outcome = await this.#once(path, body, method);
    if (outcome.kind !== 'not_done' || outcome.status !== 401) return outcome;
    await this.#signIn();
    return this.#once(path, body, method);
  }

  /** A request without an effect, repeated until it is answered. */
  async read(path: string, body?: object): Promise<Json> {
    for (let attempt = 0; attempt < READ_ATTEMPTS; attempt++) {
      const outcome = await this.send(path, body);
      if (outcome.kind === 'done') return outcome.body;
      // The second token may have been revoked as well.
      if (outcome.kind === 'not_done' && outcome.status < 429 && outcome.status !== 401)
        throw new Error(`${path} answers ${outcome.status}`);
    }
    throw new Error(`${path} is not answered`);
  }

  /** A call of the control API; null when it is refused. */
  async control(path: string, body?: object): Promise<Json | null> {
    const outcome = await this.#once(`/__sandbox/${path}?key=${this.apiKey}`, body);
    if (outcome.kind === 'open') throw new Error(`/__sandbox/${path} is not answered`);
    return outcome.kind === 'done' ? outcome.body : null;
  }

  async clearFaults(): Promise<void> {
    await this.#once(`/__sandbox/faults?key=${this.apiKey}`, undefined, 'DELETE');
  }

  async #signIn(): Promise<void> {
    for (let attempt = 0; attempt < READ_ATTEMPTS; attempt++) {
      const outcome = await this.#once('/users/v1/authenticate', credentials);
      if (outcome.kind !== 'done') continue;
      this.#token = asText(outcome.body['token']);
      return;
    }
    throw new Error('no token is issued');
  }

  async #once(path: string, body?: object, method = body === undefined ? 'GET' : 'POST'): Promise<Outcome> {
    let answer: { status: number; body: Json };
    try {
      answer = await this.#exchange(method, path, body);
    } catch {
      return { kind: 'open' };
    }
    const { status } = answer;
    if (status < 300) return { kind: 'done', body: answer.body };
    return status < 500 || status === 503 ? { kind: 'not_done', ...answer } : { kind: 'open' };
  }

  /** @throws Error when the connection breaks or the answer is not JSON */
  async #exchange(method: string, path: string, body?: object): Promise<{ status: number; body: Json }> {
    const content = body === undefined ? undefined : JSON.stringify(body);
    const headers: Record<string, string> = { 'x-api-key': this.apiKey };
    if (this.#token !== '') headers['authorization'] = this.#token;
    if (content !== undefined) headers['content-type'] = 'application/json';
    const options = { method, headers, agent: this.#agent, signal: AbortSignal.timeout(TIMEOUT_MS) };
    const { status, received } = await new Promise<{ status: number; received: string }>((resolve, reject) => {
      request(`${this.sandbox.url}${path}`, options, (response) => {
        text(response).then((read) => resolve({ status: response.statusCode ?? 0, received: read }), reject);
      })
        .on('error', reject)
        .end(content);
    });
    return { status, body: parse(received, null, (digits) => digits) as Json };
  }
}
