import type { StreamEvent } from '../../api/inbox/stream.ts';
import { linkTo } from '../calls/api.ts';

/**
 * What the server tells of, over one connection for all tabs of a browser: HTTP/1.1 allows six to a server, and a tab with a
 * stream of its own would soon leave none for anything else. The tab that holds a lock has the stream, and passes on what
 * comes to the others, which tell it what they watch.
 */

export type Connection = 'connecting' | 'live' | 'lost';

type Message =
  | { kind: 'watching'; tab: string; topics: readonly string[] }
  | { kind: 'who_watches' }
  | { kind: 'event'; event: StreamEvent }
  | { kind: 'connection'; connection: Connection; topics: readonly string[] }
  | { kind: 'closed'; tab: string };

const NAME = 'payrun-live';
const EVENTS = ['inbox', 'runs', 'run', 'changed', 'gone'] as const satisfies readonly StreamEvent['event'][];
const MAX_TOPICS = 20;
/** So that several tabs which change their topics at once open one stream. */
const SETTLE_MS = 150;
const ANNOUNCE_EVERY_MS = 20_000;
/** A tab that was not heard for so long is closed, or frozen by the browser. */
const FORGET_AFTER_MS = 90_000;
const RETRY_MS = [1_000, 2_000, 5_000, 10_000, 20_000] as const;

export class LiveStream {
  readonly #tab = crypto.randomUUID();
  readonly #channel = new BroadcastChannel(NAME);
  readonly #watched = new Map<string, number>();
  readonly #others = new Map<string, { topics: readonly string[]; heardAt: number }>();
  readonly #onEvent: (event: StreamEvent) => void;
  readonly #onConnection: (connection: Connection, topics: readonly string[]) => void;
  readonly #ended = new AbortController();
  #isLeader = false;
  #source: EventSource | null = null;
  #openTopics = '';
  #settling: number | null = null;
  #failures = 0;
  #connection: Connection = 'connecting';

  /** `topics`: those that the connection is about. There may be more in all tabs than one connection can have. */
  constructor(
    onEvent: (event: StreamEvent) => void,
    onConnection: (connection: Connection, topics: readonly string[]) => void,
  ) {
    this.#onEvent = onEvent;
    this.#onConnection = onConnection;
    this.#channel.onmessage = (message: MessageEvent<Message>) => this.#hear(message.data);
    const announcing = window.setInterval(() => this.#announce(), ANNOUNCE_EVERY_MS);
    const onLeave = (): void => this.#send({ kind: 'closed', tab: this.#tab });
    window.addEventListener('pagehide', onLeave);
    this.#ended.signal.addEventListener('abort', () => {
      window.clearInterval(announcing);
      window.removeEventListener('pagehide', onLeave);
      onLeave();
      this.#source?.close();
      this.#channel.close();
    });
    void this.#becomeLeader();
  }

  close(): void {
    this.#ended.abort();
  }

  /** Until the returned function is called, events of the topic come. */
  watch(topic: string): () => void {
    this.#watched.set(topic, (this.#watched.get(topic) ?? 0) + 1);
    this.#announce();
    return () => {
      const rest = (this.#watched.get(topic) ?? 1) - 1;
      if (rest > 0) this.#watched.set(topic, rest);
      else this.#watched.delete(topic);
      this.#announce();
    };
  }

  async #becomeLeader(): Promise<void> {
    // Browsers have locks only for https and this very machine; elsewhere each tab has a stream of its own.
    if (!('locks' in navigator)) {
      this.#lead();
      return;
    }
    const { signal } = this.#ended;
    const holding = navigator.locks.request(NAME, { signal }, () => {
      this.#lead();
      return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    });
    await holding.catch(() => undefined);
  }

  #lead(): void {
    this.#isLeader = true;
    this.#send({ kind: 'who_watches' });
    this.#settle();
  }

  #announce(): void {
    if (this.#ended.signal.aborted) return;
    if (this.#isLeader) this.#settle();
    else this.#send({ kind: 'watching', tab: this.#tab, topics: [...this.#watched.keys()] });
  }

  #hear(message: Message): void {
    if (message.kind === 'event') this.#onEvent(message.event);
    else if (message.kind === 'connection') this.#onConnection(message.connection, message.topics);
    else if (message.kind === 'who_watches') this.#announce();
    else if (this.#isLeader) this.#noteTab(message);
  }

  #noteTab(message: Extract<Message, { tab: string }>): void {
    const isNew = !this.#others.has(message.tab);
    if (message.kind === 'closed') this.#others.delete(message.tab);
    else this.#others.set(message.tab, { topics: message.topics, heardAt: Date.now() });
    if (isNew) this.#tellConnection();
    this.#settle();
  }

  #settle(): void {
    this.#settling ??= window.setTimeout(() => {
      this.#settling = null;
      this.#openFor(this.#allTopics());
    }, SETTLE_MS);
  }

  #allTopics(): string[] {
    const oldest = Date.now() - FORGET_AFTER_MS;
    for (const [tab, { heardAt }] of this.#others) if (heardAt < oldest) this.#others.delete(tab);
    const topics = [...this.#watched.keys(), ...[...this.#others.values()].flatMap((other) => other.topics)];
    return [...new Set(topics)].sort().slice(0, MAX_TOPICS);
  }

  #openFor(topics: readonly string[]): void {
    const joined = topics.join(',');
    if (this.#ended.signal.aborted || (joined === this.#openTopics && this.#source !== null)) return;
    this.#source?.close();
    this.#source = null;
    this.#openTopics = joined;
    if (joined === '') return;
    const source = new EventSource(linkTo('stream', { topics: joined }));
    this.#source = source;
    source.onopen = () => {
      this.#failures = 0;
      this.#show('live');
    };
    source.onerror = () => this.#onError(source);
    for (const name of EVENTS) {
      source.addEventListener(name, (message: MessageEvent<string>) => {
        const event = { event: name, data: JSON.parse(message.data) as unknown } as StreamEvent;
        this.#send({ kind: 'event', event });
        this.#onEvent(event);
      });
    }
  }

  /** The browser connects again by itself, unless the server has refused: then this does, more and more slowly. */
  #onError(source: EventSource): void {
    if (this.#source !== source) return;
    this.#show('lost');
    if (source.readyState !== EventSource.CLOSED) return;
    this.#source = null;
    const delayMs = RETRY_MS[Math.min(this.#failures, RETRY_MS.length - 1)];
    this.#failures += 1;
    window.setTimeout(() => this.#settle(), delayMs);
  }

  #show(connection: Connection): void {
    this.#connection = connection;
    this.#tellConnection();
    this.#onConnection(connection, topicsIn(this.#openTopics));
  }

  #tellConnection(): void {
    this.#send({ kind: 'connection', connection: this.#connection, topics: topicsIn(this.#openTopics) });
  }

  #send(message: Message): void {
    this.#channel.postMessage(message);
  }
}

function topicsIn(joined: string): string[] {
  return joined === '' ? [] : joined.split(',');
}
