import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Application } from '../../application/create-application.ts';
import { HttpError } from '../http-error.ts';
import { safeError } from '../request-log.ts';
import { webhookSubject } from './webhook-subject.ts';
import { headerFaults } from './webhook-headers.ts';
import { accountFinder, type WebhookAccount } from './webhook-tokens.ts';
import { WebhookQuota } from './webhook-quota.ts';

const BODY_LIMIT_BYTES = 64 * 1024;
/** An operator may raise the bytes of a day meanwhile. */
const RETRY_IN_SECONDS = 3_600;

/** Is notified of webhooks, for metrics. It must not throw. */
export interface WebhookObserver {
  webhookReceived(webhook: { account: string; kind: string; result: 'accepted' | 'duplicate' }): void;
  webhookRejected(reason: 'address' | 'header' | 'quota' | 'body' | 'not_stored'): void;
}

interface WebhookRoute {
  Params: { token: string };
  Body: string | undefined;
}

/**
 * Where the provider sends its events. They are unsigned, so nothing in them is believed: an event is stored in the
 * inbox as it came, and its subject is read from the provider later. The sender repeats an event until it gets 200, so
 * 200 is answered only once the event is stored. Token, header values and body are never logged.
 * Needs a Fastify scope of its own: it reads every body as text.
 */
export function addWebhookRoute(
  app: FastifyInstance,
  application: Pick<Application, 'receiveWebhook'>,
  { webhookAccounts, observer }: { webhookAccounts: readonly WebhookAccount[]; observer?: WebhookObserver | undefined },
): void {
  const accountOf = accountFinder(webhookAccounts);
  const quota = new WebhookQuota();
  let refused = 0;
  const errorOf = (request: FastifyRequest<WebhookRoute>): HttpError | null => {
    const account = accountOf(request.params.token);
    // The same answer as for any address that does not exist.
    if (account === null) {
      observer?.webhookRejected('address');
      return noSuchAddress();
    }
    const faults = headerFaults(account.headerHashes, request.headers);
    // guard: webhook-headers
    if (faults === null) return tooMany(request, account);
    refused += 1;
    observer?.webhookRejected('header');
    request.log.warn(
      { account: account.name, ...faults, refused },
      'a webhook without the configured headers was refused',
    );
    return new HttpError(401, 'unauthenticated', 'a header that the account holder configured is missing or different');
  };
  const tooMany = (request: FastifyRequest, { name, perMinute }: WebhookAccount): HttpError | null => {
    const over = quota.take(name, perMinute);
    if (over === null) return null;
    observer?.webhookRejected('quota');
    if (over.isFirst) request.log.warn({ account: name }, 'too many webhooks in a minute: further ones are refused');
    return new HttpError(429, 'too_many', 'too many events in a minute: send it again later', {
      retryAfterSeconds: over.retryAfterSeconds,
    });
  };
  const overTheDay = dayRefusal(observer);
  acceptAnyText(app);
  app.post<WebhookRoute>('/webhooks/:token', {
    bodyLimit: BODY_LIMIT_BYTES,
    schema: { hide: true },
    onRequest: (request, _reply, done) => {
      // Before the body is read.
      const error = errorOf(request);
      // The content type is not used: a malformed one must not make the event fail.
      request.raw.headers['content-type'] = 'text/plain';
      done(error ?? undefined);
    },
    handler: async (request) => {
      const account = accountOf(request.params.token)?.name;
      if (account === undefined) throw noSuchAddress();
      const rawBody = request.body ?? '';
      const subject = webhookSubject(rawBody);
      if (subject === null) {
        observer?.webhookRejected('body');
        throw new HttpError(400, 'invalid_input', 'the body must be a JSON object');
      }
      try {
        const received = await application.receiveWebhook({ account, rawBody, ...subject });
        if (received === 'over_quota') return overTheDay(request, account);
        observer?.webhookReceived({ account, kind: subject.kind, result: received });
        return { received };
      } catch (error) {
        if (error instanceof HttpError) throw error;
        observer?.webhookRejected('not_stored');
        request.log.error({ error: safeError(error), account }, 'a webhook could not be kept');
        throw new HttpError(503, 'unavailable', 'the event could not be kept: send it again');
      }
    },
  });
}

/** Refuses what is over the bytes of a day; the first of an account and day is logged. */
function dayRefusal(observer: WebhookObserver | undefined): (request: FastifyRequest, account: string) => never {
  let logged = '';
  return (request, account) => {
    observer?.webhookRejected('quota');
    const today = `${new Date().toISOString().slice(0, 10)} ${account}`;
    if (logged !== today) request.log.warn({ account }, 'too many bytes of webhooks today: further ones are refused');
    logged = today;
    throw new HttpError(429, 'too_many', 'too many bytes of events in a day: send it again later', {
      retryAfterSeconds: RETRY_IN_SECONDS,
    });
  };
}

function acceptAnyText(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_LIMIT_BYTES }, (_request, body, done) => {
    done(null, body);
  });
}

function noSuchAddress(): HttpError {
  return new HttpError(404, 'not_found', 'there is nothing at this address');
}
