import { Readable } from 'node:stream';
import type { Application } from '../../application/application-api.ts';
import type { SignedIn } from '../../application/users/signed-in.ts';
import { userOf } from '../users/access.ts';
import type { Api } from '../api.ts';
import { existingRun } from './existing-run.ts';
import type { FeedNews } from './run-feed.ts';
import { RunFeeds } from './run-feeds.ts';
import type { FeedSettings } from './run-feeds.ts';
import { safeError } from '../request-log.ts';
import { refusalsOf, text } from '../../api/answers.ts';
import { runParams } from '../../api/runs/run.ts';

/** A run as it changes, by server-sent events. */
export function addRunEventRoute(
  app: Api,
  application: Pick<Application, 'findRun' | 'isSignedIn'>,
  settings: FeedSettings,
): void {
  const feeds = new RunFeeds(
    (runId) => application.findRun(runId),
    settings,
    (error) => {
      app.log.warn({ error: safeError(error) }, 'a watched run could not be read');
    },
  );
  app.addHook('preClose', (done) => {
    feeds.close();
    done();
  });
  app.get('/runs/:runId/events', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'watchRun',
      tags: ['runs'],
      summary: 'A run as it changes',
      description:
        'Server-sent events: `summary` holds the run (schema Run) at the start and whenever it has changed; `end` ' +
        'comes when the run has ended. A stream that ends without it was interrupted: connect again.',
      params: runParams,
      response: { 200: text('The events.', 'text/event-stream'), ...refusalsOf(400, 404) },
    },
    handler: async (request, reply) => {
      const gone = new AbortController();
      reply.raw.once('close', () => {
        gone.abort();
      });
      // Whoever left while the token was checked gives no sign any more.
      if (reply.raw.destroyed) gone.abort();
      const run = await existingRun(application, request.params.runId);
      const user = userOf(request);
      const news = feeds.subscribe(run, user.userId, gone.signal);
      endWhenSignedOut(user, gone);
      void reply.headers({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' });
      await reply.send(Readable.from(eventLines(news, gone)) as unknown as string);
    },
  });

  /** Whoever is disabled, or whose token is revoked, sees no more of it. */
  function endWhenSignedOut(user: SignedIn, gone: AbortController): void {
    const recheck = setInterval(() => {
      application.isSignedIn(user).then(
        (isSignedIn) => {
          if (!isSignedIn) gone.abort();
        },
        (error: unknown) => {
          app.log.warn({ error: safeError(error) }, 'whether a watcher is signed in could not be asked');
        },
      );
    }, settings.recheckMs);
    if (gone.signal.aborted) clearInterval(recheck);
    else gone.signal.addEventListener('abort', () => clearInterval(recheck), { once: true });
  }
}

async function* eventLines(news: AsyncIterable<FeedNews>, gone: AbortController): AsyncGenerator<string> {
  try {
    for await (const piece of news) {
      if (piece.kind === 'run') yield `event: summary\ndata: ${JSON.stringify(piece.run)}\n\n`;
      else if (piece.kind === 'end') yield 'event: end\ndata: {}\n\n';
      else yield ': still here\n\n';
    }
  } finally {
    gone.abort();
  }
}
