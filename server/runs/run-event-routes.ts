import { runEventEndpoints } from '../../api/runs/endpoints.ts';
import type { RunEvent } from '../../api/runs/run-event.ts';
import type { Application } from '../../application/create-application.ts';
import type { SignedIn } from '../../application/users/signed-in.ts';
import type { Api } from '../api.ts';
import { eventAnswer } from '../event-answer.ts';
import { safeError } from '../request-log.ts';
import { serve } from '../serve.ts';
import { existingRun } from './existing-run.ts';
import type { FeedEvent } from './run-feed.ts';
import { RunFeeds } from './run-feeds.ts';
import type { FeedSettings } from './run-feeds.ts';

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
  serve(app, runEventEndpoints, {
    watchRun: async ({ user, params: { runId }, reply }) => {
      const closed = new AbortController();
      reply.raw.once('close', () => {
        closed.abort();
      });
      // A client that left during the token check emits no close event.
      if (reply.raw.destroyed) closed.abort();
      const run = await existingRun(application, runId);
      const events = feeds.subscribe(run, user.userId, closed.signal);
      endWhenSignedOut(user, run.account, closed);
      void reply.headers({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' });
      return eventAnswer(eventLines(events, closed), closed.signal);
    },
  });

  /** Ends the stream once the user is disabled, the token is revoked, or the user may no longer read runs of the account. */
  function endWhenSignedOut(user: SignedIn, account: string, closed: AbortController): void {
    const recheck = setInterval(() => {
      application.isSignedIn(user, account).then(
        (isSignedIn) => {
          if (!isSignedIn) closed.abort();
        },
        (error: unknown) => {
          app.log.warn({ error: safeError(error) }, 'the sign-in of a watcher could not be checked');
        },
      );
    }, settings.recheckMs);
    if (closed.signal.aborted) clearInterval(recheck);
    else closed.signal.addEventListener('abort', () => clearInterval(recheck), { once: true });
  }
}

async function* eventLines(events: AsyncIterable<FeedEvent>, closed: AbortController): AsyncGenerator<string> {
  try {
    for await (const event of events) {
      if (event.kind === 'run') yield eventText({ event: 'summary', data: event.run });
      else if (event.kind === 'end') yield eventText({ event: 'end', data: {} });
      else yield ': still here\n\n';
    }
  } finally {
    closed.abort();
  }
}

function eventText({ event, data }: RunEvent): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
