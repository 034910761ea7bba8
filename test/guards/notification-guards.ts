import { type Guard, MIGRATIONS } from './guard.ts';

/** Checks of notifications: they go only where two administrators sent them, tell of what is so, and harm no payment. */

const MIGRATION = `${MIGRATIONS}/0034_notifications.sql`;
const PLAN = 'store/notifications/plan-deliveries.ts';
const POST = 'activities/notifications/post-webhook.ts';
const endpoints = (name: string) => ({ file: 'test/store/endpoints.services.ts', name });
const outbox = (name: string) => ({ file: 'test/store/outbox.services.ts', name });
const posted = (name: string) => ({ file: 'test/activities/post-webhook.test.ts', name });

export const NOTIFICATION_GUARDS: readonly Guard[] = [
  {
    id: 'endpoint-takes-two',
    against: 'deliveries are made to an endpoint that no second administrator has confirmed',
    file: PLAN,
    text: `where removed_at is null and state <> 'pending'`,
    without: 'where removed_at is null',
    test: {
      file: 'test/activities/deliveries.services.ts',
      name: 'waits for a second administrator once a run was approved',
    },
    behind: 'they are sent only while it is enabled',
  },
  {
    id: 'only-disabled-enabled',
    against: 'one administrator enables an endpoint that another one rejected',
    file: `${MIGRATIONS}/0053_schedules-and-deliveries.sql`,
    text: `where endpoint_id = p_endpoint and state = 'disabled';`,
    without: 'where endpoint_id = p_endpoint;',
    test: endpoints('that was rejected is never enabled'),
  },
  {
    id: 'endpoint-of-its-change',
    against: 'a change that names another address than that of its endpoint enables it',
    file: `${MIGRATIONS}/0075_invitations-that-end.sql`,
    text: `where change_id = p_change and state = 'pending' and removed_at is null;`,
    without: `where endpoint_id::text = v.detail ->> 'endpoint' and state = 'pending' and removed_at is null;`,
    test: endpoints('is not enabled by a change that only names it'),
  },
  {
    id: 'secrets-not-read-back',
    against: 'a server reads the secrets of webhooks',
    file: 'store/database/database-roles.ts',
    text: `endpoint_secrets: 'select (wrapped_by)',`,
    without: `endpoint_secrets: 'select  ',`,
    test: endpoints('cannot be read back by the server'),
  },
  {
    id: 'public-names',
    against: 'a webhook reaches the internal network by a name',
    file: POST,
    text: 'else if (found.some(isPrivate)) callback',
    without: 'else if (found.length > 99) callback',
    test: posted('is not reached by a name that resolves to it, also beside a public address'),
  },
  {
    id: 'public-addresses',
    against: 'a webhook reaches an address of the internal network',
    file: POST,
    text: 'if (!mayBePrivate && isPrivateLiteral(url.hostname) === true) return',
    without: "if (url.hostname === 'none') return",
    test: posted('is not reached at https://127.0.0.1'),
  },
  {
    id: 'webhooks-encrypted',
    against: 'a webhook is sent unencrypted',
    file: POST,
    text: `if (url.protocol !== 'https:' && !mayBePrivate) return`,
    without: `if (url.protocol === 'ftp:') return`,
    test: posted('is not reached by http at any other host'),
  },
  {
    id: 'fact-goes-on',
    against: 'a notification that cannot be stored undoes the fact',
    file: MIGRATION,
    text: `raise warning 'a notification % of % % is lost: %', p_type, p_subject, p_subject_id, sqlerrm;`,
    without: 'raise;',
    test: outbox('are held even if notifications are broken'),
  },
  {
    id: 'told-once-it-is-so',
    against: 'a notification does not count a row whose transaction was under way',
    file: PLAN,
    text: 'limit ${MAX_PLANNED} for update skip locked',
    without: 'limit ${MAX_PLANNED}',
    test: outbox('that are being held are not told of before their transaction is over'),
  },
];
