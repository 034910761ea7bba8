import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Application } from '../../application/application-api.ts';
import { Refusal } from '../refusal.ts';
import { safeError } from '../request-log.ts';
import { webhookSubject } from './webhook-subject.ts';
import { headerCheck } from './webhook-headers.ts';
import { accountFinder } from './webhook-tokens.ts';
import type { WebhookQuota } from './webhook-quota.ts';

const BODY_LIMIT_BYTES = 64 * 1024;

interface WebhookRoute {
  Params: { token: string };
  Body: string | undefined;
}

/** How a webhook is told from what others send. */
interface WebhookSecrets {
  /** The secret part of each webhook address, and the account it belongs to. */
  accountOfToken: Readonly<Record<string, string>>;
  /** Headers that must come along, value by name in lower case; none: nothing is asked of headers. */
  headers: Readonly<Record<string, string>>;
  quota: WebhookQuota;
}

/**
 * Where the provider sends its events. They are unsigned, so nothing in them is believed: an event is put into the
 * inbox as it came and answered, and what it hints at is read from the provider later. A sender that gets anything
 * but 200 tries again, so 200 is said only once the event is kept. Neither token,
 * header values nor body are ever logged.
 * The scope must be the route's own: it reads every body as text.
 */
export function addWebhookRoute(
  app: FastifyInstance,
  application: Pick<Application, 'receiveWebhook'>,
  secrets: WebhookSecrets,
): void {
  const accountOf = accountFinder(secrets.accountOfToken);
  const faultsOf = headerCheck(secrets.headers);
  let refused = 0;
  const refusalOf = (request: FastifyRequest<WebhookRoute>): Refusal | null => {
    const account = accountOf(request.params.token);
    // In the same words as for any other address that does not exist.
    if (account === null) return noSuchAddress();
    const faults = faultsOf(request.headers);
    if (faults === null) return tooMany(request, account);
    refused += 1;
    request.log.warn({ account, ...faults, refused }, 'a webhook without the configured headers was refused');
    return new Refusal(401, 'unauthenticated', 'a header that the account holder configured is missing or different');
  };
  const tooMany = (request: FastifyRequest, account: string): Refusal | null => {
    const over = secrets.quota.take(account);
    if (over === null) return null;
    if (over.isFirst) request.log.warn({ account }, 'too many webhooks in a minute: further ones are refused');
    return new Refusal(429, 'too_many', 'too many events in a minute: send it again later', {
      retryAfterSeconds: over.retryAfterSeconds,
    });
  };
  acceptAnyText(app);
  app.post<WebhookRoute>('/webhooks/:token', {
    bodyLimit: BODY_LIMIT_BYTES,
    schema: { hide: true },
    onRequest: (request, _reply, done) => {
      // Before the body is read.
      const refusal = refusalOf(request);
      // Senders label their events as they like; the label is not used, and a malformed one is no reason to refuse.
      request.raw.headers['content-type'] = 'text/plain';
      done(refusal ?? undefined);
    },
    handler: async (request) => {
      const account = accountOf(request.params.token);
      if (account === null) throw noSuchAddress();
      const rawBody = request.body ?? '';
      const subject = webhookSubject(rawBody);
      if (subject === null) throw new Refusal(400, 'invalid_input', 'the body must be a JSON object');
      try {
        return { received: await application.receiveWebhook({ account, rawBody, ...subject }) };
      } catch (error) {
        request.log.error({ error: safeError(error), account }, 'a webhook could not be kept');
        throw new Refusal(503, 'unavailable', 'the event could not be kept: send it again');
      }
    },
  });
}

function acceptAnyText(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_LIMIT_BYTES }, (_request, body, done) => {
    done(null, body);
  });
}

function noSuchAddress(): Refusal {
  return new Refusal(404, 'not_found', 'there is nothing at this address');
}
