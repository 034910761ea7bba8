import { webhookEndpoints } from '../../api/webhooks/endpoints.ts';
import type { ReceivedWebhook } from '../../api/webhooks/received-webhook.ts';
import { orNotFound } from '../../application/application-error.ts';
import type { OperationsApplication } from '../../application/operation-use-cases.ts';
import { mayRead, type SignedIn } from '../../application/users/signed-in.ts';
import { resultOf } from '../../application/webhooks/webhook-views.ts';
import { MalformedWebhook, parseWebhook, type WebhookEvent } from '../../provider/webhooks/webhooks.ts';
import type { WebhookRecord } from '../../store/webhooks/received-webhooks.ts';
import type { Api } from '../api.ts';
import { serve } from '../serve.ts';

export function addReceivedWebhookRoutes(
  app: Api,
  application: Pick<OperationsApplication, 'listWebhooks' | 'findWebhook'>,
): void {
  serve(app, webhookEndpoints, {
    listWebhooks: async ({ user, query }) => {
      const { webhooks, nextBefore } = await application.listWebhooks(user, query);
      return { webhooks: webhooks.map(shown), nextBefore };
    },
    getWebhook: async ({ user, params: { webhookId } }) => {
      const found = orNotFound(await application.findWebhook(user, webhookId), `there is no webhook ${webhookId}`);
      const isShown = mayReadBody(user, found.kind);
      return {
        ...shown(found),
        body: isShown ? found.body : null,
        fields: isShown ? fieldsOf(eventOf(found.body)) : null,
      };
    },
  });
}

/** A body may name bank accounts; one about a user, or in no known form, may hold what applicants gave. */
function mayReadBody(user: SignedIn, kind: string): boolean {
  const isOfApplicants = kind === 'user' || kind === 'unknown';
  return mayRead(user, isOfApplicants ? 'read_applicants' : 'read_instructions');
}

function shown(found: WebhookRecord): ReceivedWebhook {
  const { webhookId, account, kind, resourceId, times, receivedAt, lastReceivedAt, subject } = found;
  const event = eventOf(found.body);
  return {
    ...{ webhookId, account, kind, resourceId, times },
    status: event === null || event.kind === 'unknown' ? null : event.status.slice(0, 100),
    firstReceivedAt: receivedAt.toISOString(),
    lastReceivedAt: lastReceivedAt.toISOString(),
    result: resultOf(found),
    subject: subject === null ? null : shownSubject(subject),
  };
}

function shownSubject(found: NonNullable<WebhookRecord['subject']>): ReceivedWebhook['subject'] {
  const { kind, id, name, state, runId, line, readAt } = found;
  return { kind, id, name, state, runId, line, readAt };
}

function eventOf(body: string): WebhookEvent | null {
  try {
    return parseWebhook(body);
  } catch (error) {
    if (error instanceof MalformedWebhook) return null;
    throw error;
  }
}

function fieldsOf(event: WebhookEvent | null): Record<string, string | null> {
  if (event === null) return {};
  return Object.fromEntries(Object.entries(event).filter(([name]) => name !== 'raw'));
}
