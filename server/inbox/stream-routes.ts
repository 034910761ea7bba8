import { streamEndpoints } from '../../api/inbox/endpoints.ts';
import { ApplicationError } from '../../application/application-error.ts';
import type { SignedIn } from '../../application/users/signed-in.ts';
import type { Api } from '../api.ts';
import { eventAnswer } from '../event-answer.ts';
import { safeError } from '../request-log.ts';
import { serve } from '../serve.ts';
import { type StreamItem, topicStream } from './topic-stream.ts';
import { type StreamingApplication, type StreamSettings, StreamTopics } from './stream-topics.ts';

export function addStreamRoute(app: Api, application: StreamingApplication, settings: StreamSettings): void {
  const topics = new StreamTopics(application, settings, (error) => {
    app.log.warn({ error: safeError(error) }, 'a watched topic could not be read');
  });
  const open = new OpenStreams(settings);
  app.addHook('preClose', (done) => {
    open.close();
    done();
  });
  serve(app, streamEndpoints, {
    stream: ({ user, query, request, reply }) => {
      const closed = open.add(user.userId);
      reply.raw.once('close', () => closed.abort());
      // A client that left during the token check emits no close event.
      if (reply.raw.destroyed) closed.abort();
      endWhenSignedOut(user, closed);
      const lastEventId = request.headers['last-event-id'];
      const items = topicStream(topics.sourcesOf(user, query.topics), {
        lastEventId: typeof lastEventId === 'string' ? lastEventId : null,
        heartbeatMs: settings.heartbeatMs,
        signal: closed.signal,
      });
      void reply.headers({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' });
      return eventAnswer(lines(items, closed), closed.signal);
    },
  });

  function endWhenSignedOut(user: SignedIn, closed: AbortController): void {
    const recheck = setInterval(() => {
      application.isSignedIn(user, null).then(
        (isSignedIn) => {
          if (!isSignedIn) closed.abort();
        },
        (error: unknown) => {
          app.log.warn({ error: safeError(error) }, 'the sign-in of a watcher could not be checked');
        },
      );
    }, settings.recheckMs);
    const lifetime = setTimeout(() => closed.abort(), settings.lifetimeMs);
    const stop = (): void => {
      clearInterval(recheck);
      clearTimeout(lifetime);
    };
    if (closed.signal.aborted) stop();
    else closed.signal.addEventListener('abort', stop, { once: true });
  }
}

/** Limits streams, in all and per user, and ends them when the server stops. */
class OpenStreams {
  readonly #settings: StreamSettings;
  readonly #open = new Map<AbortController, string>();

  constructor(settings: StreamSettings) {
    this.#settings = settings;
  }

  /** Throws `unavailable` at once when all places are taken, before an answer has started. */
  add(userId: string): AbortController {
    const own = [...this.#open.values()].filter((other) => other === userId).length;
    if (own >= this.#settings.maxPerUser) {
      throw new ApplicationError('unavailable', `you have ${own} streams open already: close some of them first`);
    }
    if (this.#open.size >= this.#settings.maxStreams) {
      throw new ApplicationError('unavailable', 'too many streams are open at the moment: try again later');
    }
    const closed = new AbortController();
    this.#open.set(closed, userId);
    closed.signal.addEventListener('abort', () => this.#open.delete(closed), { once: true });
    return closed;
  }

  close(): void {
    for (const closed of [...this.#open.keys()]) closed.abort();
  }
}

async function* lines(items: AsyncIterable<StreamItem>, closed: AbortController): AsyncGenerator<string> {
  try {
    // Says at once that the connection works, before anything was read.
    yield ': connected\n\n';
    for await (const item of items) {
      if (item.kind === 'heartbeat') yield ': still here\n\n';
      else yield `id: ${item.id}\nevent: ${item.event.event}\ndata: ${JSON.stringify(item.event.data)}\n\n`;
    }
  } finally {
    closed.abort();
  }
}
