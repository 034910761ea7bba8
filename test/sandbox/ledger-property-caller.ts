import { type Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { parse } from 'lossless-json';
import { defaultAccount } from '../../sandbox/config/options.ts';
import type { RunningSandbox } from '../../sandbox/server.ts';
import { asText } from './a-sandbox.ts';

/** JSON with every number as the text that was sent, so that amounts can be compared and added exactly. */
export interface Told {
  readonly [key: string]: Told;
}

/**
 * What a caller knows after a request: it was done, it was not (refused, or turned away before any effect), or nobody
 * can tell from the answer.
 */
export type Outcome =
  | { kind: 'done'; body: Told }
  | { kind: 'not_done'; status: number; body: Told }
  | { kind: 'open' };

/** Longer than any run has faults left; a read that fails as often as this is a defect. */
const READ_ATTEMPTS = 40;

const PATIENCE_MS = 5_000;

const credentials = (({ accessKeyId, secretAccessKey }) => ({ accessKeyId, secretAccessKey }))(defaultAccount);

/** Calls a sandbox as one API key over kept connections, and takes every kind of lost answer for what it is. */
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

  /** A request that may have an effect: sent once, and once more after a 401, which had none. */
  async send(path: string, body?: object, method?: string): Promise<Outcome> {
    const outcome = await this.#once(path, body, method);
    if (outcome.kind !== 'not_done' || outcome.status !== 401) return outcome;
    await this.#signIn();
    return this.#once(path, body, method);
  }

  /** A request that changes nothing, repeated until it is answered. */
  async read(path: string, body?: object): Promise<Told> {
    for (let attempt = 0; attempt < READ_ATTEMPTS; attempt++) {
      const outcome = await this.send(path, body);
      if (outcome.kind === 'done') return outcome.body;
      // A second token may have been ended as well.
      if (outcome.kind === 'not_done' && outcome.status < 429 && outcome.status !== 401)
        throw new Error(`${path} answers ${outcome.status}`);
    }
    throw new Error(`${path} is not answered`);
  }

  /** One call of the control door; null when the order is refused. */
  async control(path: string, body?: object): Promise<Told | null> {
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
    let answer: { status: number; body: Told };
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
  async #exchange(method: string, path: string, body?: object): Promise<{ status: number; body: Told }> {
    const content = body === undefined ? undefined : JSON.stringify(body);
    const headers: Record<string, string> = { 'x-api-key': this.apiKey };
    if (this.#token !== '') headers['authorization'] = this.#token;
    if (content !== undefined) headers['content-type'] = 'application/json';
    const options = { method, headers, agent: this.#agent, signal: AbortSignal.timeout(PATIENCE_MS) };
    const { status, received } = await new Promise<{ status: number; received: string }>((resolve, reject) => {
      request(`${this.sandbox.url}${path}`, options, (response) => {
        text(response).then((read) => resolve({ status: response.statusCode ?? 0, received: read }), reject);
      })
        .on('error', reject)
        .end(content);
    });
    return { status, body: parse(received, null, (digits) => digits) as Told };
  }
}
