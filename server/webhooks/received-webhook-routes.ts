import { errorsOf, json } from '../../api/answers.ts';
import {
  type ReceivedWebhook,
  type WebhookDetail,
  webhookDetailSchema,
  webhookListQuery,
  webhookPageSchema,
  webhookParams,
} from '../../api/webhooks/received-webhook.ts';
import { orNotFound } from '../../application/application-error.ts';
import type { OperationsApplication } from '../../application/operations-api.ts';
import { resultOf } from '../../application/webhooks/webhook-views.ts';
import { mayAny, type Role } from '../../domain/users/role.ts';
import { MalformedWebhook, parseWebhook, type WebhookEvent } from '../../provider/webhooks/webhooks.ts';
import type { WebhookRecord } from '../../store/webhooks/received-webhooks.ts';
import type { Api } from '../api.ts';
import { userOf } from '../users/access.ts';

/** What the provider has sent, and what came of it. */
export function addReceivedWebhookRoutes(
  app: Api,
  application: Pick<OperationsApplication, 'listWebhooks' | 'findWebhook'>,
): void {
  app.get('/webhooks', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'listWebhooks',
      tags: ['operations'],
      summary: 'Webhooks of the provider, the newest first, and what each led to',
      description:
        'They are kept for 90 days. With `result`, the newest 5,000 are looked at for a page: one may be short, or empty, and ' +
        'another one follow.',
      querystring: webhookListQuery,
      response: { 200: json('A page of them.', webhookPageSchema), ...errorsOf(400) },
    },
    handler: async (request) => {
      const { webhooks, nextBefore } = await application.listWebhooks(userOf(request), request.query);
      return { webhooks: webhooks.map(shown), nextBefore };
    },
  });

  app.get('/webhooks/:webhookId', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'getWebhook',
      tags: ['operations'],
      summary: 'One webhook: as it came, what payrun takes from it, and what it led to',
      params: webhookParams,
      response: { 200: json('The webhook.', webhookDetailSchema), ...errorsOf(400, 404) },
    },
    handler: async (request): Promise<WebhookDetail> => {
      const { webhookId } = request.params;
      const user = userOf(request);
      const found = orNotFound(await application.findWebhook(user, webhookId), `there is no webhook ${webhookId}`);
      const isShown = mayReadBody(user.roles, found.kind);
      return {
        ...shown(found),
        body: isShown ? found.body : null,
        fields: isShown ? fieldsOf(eventOf(found.body)) : null,
      };
    },
  });
}

/** A body may name bank accounts; one about a user, or in no known form, may hold what applicants gave. */
function mayReadBody(roles: readonly Role[], kind: string): boolean {
  const isOfApplicants = kind === 'user' || kind === 'unknown';
  return mayAny(roles, isOfApplicants ? 'read_applicants' : 'read_instructions');
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
