import { errorsOf, text } from '../../api/answers.ts';
import { streamQuery } from '../../api/inbox/stream.ts';
import { ApplicationError } from '../../application/application-error.ts';
import type { SignedIn } from '../../application/users/signed-in.ts';
import type { Api } from '../api.ts';
import { eventAnswer } from '../event-answer.ts';
import { safeError } from '../request-log.ts';
import { userOf } from '../users/access.ts';
import { type StreamItem, topicStream } from './topic-stream.ts';
import { type StreamingApplication, type StreamSettings, StreamTopics } from './stream-topics.ts';

/** One stream for everything that a browser watches: a browser has six connections to a server. */
export function addStreamRoute(app: Api, application: StreamingApplication, settings: StreamSettings): void {
  const topics = new StreamTopics(application, settings, (error) => {
    app.log.warn({ error: safeError(error) }, 'a watched topic could not be read');
  });
  const open = new OpenStreams(settings);
  app.addHook('preClose', (done) => {
    open.close();
    done();
  });
  app.get('/stream', {
    config: { access: 'signed_in' },
    schema: {
      operationId: 'stream',
      tags: ['inbox'],
      summary: 'What you watch, as it changes',
      description:
        'Server-sent events. Each has the whole present state of its topic: `inbox` your inbox, `run` a run, `runs` and ' +
        '`changed` that a list, an order or a case is to be read again, `gone` that there is no such thing for you. With the ' +
        'header Last-Event-ID, what has not changed since is not sent again. A stream ends after some minutes: connect again.',
      querystring: streamQuery,
      response: { 200: text('The events.', 'text/event-stream'), ...errorsOf(400) },
    },
    handler: async (request, reply) => {
      const user = userOf(request);
      const closed = open.add(user.userId);
      reply.raw.once('close', () => closed.abort());
      // A client that left during the token check emits no close event.
      if (reply.raw.destroyed) closed.abort();
      endWhenSignedOut(user, closed);
      const lastEventId = request.headers['last-event-id'];
      const items = topicStream(topics.sourcesOf(user, request.query.topics), {
        lastEventId: typeof lastEventId === 'string' ? lastEventId : null,
        heartbeatMs: settings.heartbeatMs,
        signal: closed.signal,
      });
      void reply.headers({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' });
      await reply.send(eventAnswer(lines(items, closed), closed.signal) as unknown as string);
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
