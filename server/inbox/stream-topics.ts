import type { StreamEvent } from '../../api/inbox/stream.ts';
import type { Application } from '../../application/create-application.ts';
import type { WatchedTopic } from '../../application/inbox/read-topic.ts';
import { mayUse, type SignedIn } from '../../application/users/signed-in.ts';
import { mayAny } from '../../domain/users/role.ts';
import { hashOf, type ReadTopic, TopicSource } from './topic-source.ts';

export type StreamingApplication = Pick<
  Application,
  'findRun' | 'readInbox' | 'readTopic' | 'readAuditPosition' | 'isSignedIn'
>;

export interface StreamSettings {
  /** How often a watched run, order, case or list is read, however many watch it. */
  pollMs: number;
  /** How often the inbox of a user is read, at most. */
  inboxMs: number;
  heartbeatMs: number;
  /** How often the sign-in of each subscriber is checked. */
  recheckMs: number;
  /** A stream ends after this, and is opened again with the roles and accounts that its user has by then. */
  lifetimeMs: number;
  maxStreams: number;
  maxPerUser: number;
}

export const STREAM_SETTINGS: StreamSettings = {
  pollMs: 1_000,
  inboxMs: 5_000,
  heartbeatMs: 15_000,
  recheckMs: 5_000,
  lifetimeMs: 300_000,
  maxStreams: 256,
  maxPerUser: 16,
};

/** The sources of topics: those who see the same of one share it. */
export class StreamTopics {
  readonly #application: StreamingApplication;
  readonly #settings: StreamSettings;
  readonly #onError: (error: unknown) => void;
  readonly #sources = new Map<string, TopicSource>();

  constructor(application: StreamingApplication, settings: StreamSettings, onError: (error: unknown) => void) {
    this.#application = application;
    this.#settings = settings;
    this.#onError = onError;
  }

  /** Together, so that none of them is forgotten because nobody watches it yet. */
  sourcesOf(user: SignedIn, topics: readonly string[]): { topic: string; source: TopicSource }[] {
    for (const [key, source] of this.#sources) if (!source.isWatched) this.#sources.delete(key);
    return topics.map((topic) => ({ topic, source: this.#sourceOf(user, topic) }));
  }

  #sourceOf(user: SignedIn, topic: string): TopicSource {
    const [kind = '', id = ''] = topic.split(':');
    const rights = JSON.stringify([user.accounts, user.roles]);
    // The inbox is read by the token hash of its user: that of a session changes, and the former one stops working.
    const seenBy =
      kind === 'inbox' ? `${user.tokenId} ${hashOf(user.tokenHash.bytes.toString('hex'))} ${rights}` : rights;
    const key = `${topic} ${seenBy}`;
    const known = this.#sources.get(key);
    if (known !== undefined) return known;
    const { pollMs, inboxMs } = this.#settings;
    const read = this.#reader(user, topic, kind, id);
    const source = new TopicSource(read, kind === 'inbox' ? inboxMs : pollMs, this.#onError);
    this.#sources.set(key, source);
    return source;
  }

  #reader(user: SignedIn, topic: string, kind: string, id: string): ReadTopic {
    if (kind === 'inbox') return this.#inboxReader(user, topic);
    if (kind === 'run') return () => this.#readRun(user, topic, id);
    return async () => {
      const watched: WatchedTopic = kind === 'order' || kind === 'case' ? { kind, id } : { kind: 'runs' };
      const state = await this.#application.readTopic(user, watched);
      if (state === null) return { event: 'gone', data: { topic } };
      if (watched.kind === 'runs')
        return { event: 'runs', data: { topic, runs: state.count, changedAt: state.changedAt } };
      return { event: 'changed', data: { topic, state: state.state, changedAt: state.changedAt } };
    };
  }

  async #readRun(user: SignedIn, topic: string, runId: string): Promise<StreamEvent> {
    const run = mayAny(user.roles, 'read_runs') ? await this.#application.findRun(runId) : null;
    const isShown = run !== null && mayUse(user, run.account);
    return isShown ? { event: 'run', data: { topic, run } } : { event: 'gone', data: { topic } };
  }

  /** The inbox is read when anything was recorded since, and now and then, since things also come due. */
  #inboxReader(user: SignedIn, topic: string): ReadTopic {
    let position = -1;
    let reads = 0;
    return async (isKnown) => {
      const now = await this.#application.readAuditPosition();
      reads += 1;
      if (isKnown && now === position && reads % READ_ANYWAY !== 0) return 'unchanged';
      const inbox = await this.#application.readInbox(user);
      position = now;
      return { event: 'inbox', data: { topic, inbox } };
    };
  }
}

const READ_ANYWAY = 12;
