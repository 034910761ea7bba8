import type { FastifyInstance } from 'fastify';
import type { Engine } from '../../client/engine/engine-api.ts';
import { Refusal } from '../refusal.ts';
import { safeError } from '../request-log.ts';
import { webhookSubject } from '../webhook-subject.ts';
import { accountFinder } from '../webhook-tokens.ts';

const BODY_LIMIT_BYTES = 64 * 1024;

interface WebhookRoute {
  Params: { token: string };
  Body: string | undefined;
}

/**
 * Where the provider sends its events. They are unsigned, so nothing in them is believed: an event is put into the
 * inbox as it came and answered, and what it hints at is read from the provider later. A sender that gets anything
 * but 200 tries again, so 200 is said only once the event is kept. Neither token nor body is ever logged.
 * The scope must be the route's own: it reads every body as text.
 */
export function addWebhookRoute(
  app: FastifyInstance,
  engine: Pick<Engine, 'receiveWebhook'>,
  accountOfToken: Readonly<Record<string, string>>,
): void {
  const accountOf = accountFinder(accountOfToken);
  acceptAnyText(app);
  app.post<WebhookRoute>('/webhooks/:token', {
    bodyLimit: BODY_LIMIT_BYTES,
    schema: { hide: true },
    onRequest: (request, _reply, done) => {
      // Senders label their events as they like; the label is not used, and a malformed one is no reason to refuse.
      request.raw.headers['content-type'] = 'text/plain';
      // Before the body is read, and in the same words as for any other address that does not exist.
      done(accountOf(request.params.token) === null ? noSuchAddress() : undefined);
    },
    handler: async (request) => {
      const account = accountOf(request.params.token);
      if (account === null) throw noSuchAddress();
      const rawBody = request.body ?? '';
      const subject = webhookSubject(rawBody);
      if (subject === null) throw new Refusal(400, 'invalid_input', 'the body must be a JSON object');
      try {
        return { received: await engine.receiveWebhook({ account, rawBody, ...subject }) };
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
