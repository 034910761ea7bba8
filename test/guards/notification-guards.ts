import type { Guard } from './guard.ts';

const ENDPOINTS = 'test/store/endpoints.services.ts';
const POST_WEBHOOK = 'test/activities/post-webhook.test.ts';
const GROWING_TABLES = 'test/store/growing-tables.services.ts';
const OUTBOX = 'test/store/outbox.services.ts';

/** Checks of notifications: they go only where two administrators sent them, tell of what is so, and harm no payment. */
export const NOTIFICATION_GUARDS: readonly Guard[] = [
  {
    id: 'endpoint-takes-two',
    against: 'deliveries are made to an endpoint that no second administrator has confirmed',
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
    without: 'if false then',
    test: { file: ENDPOINTS, name: 'that was rejected is never enabled' },
  },
  {
    id: 'endpoint-enabled-by-two',
    against: 'one administrator enables an endpoint again that two have disabled',
    without: "perform let_endpoint_speak(p_endpoint, me.user_id); return jsonb_build_object('change', null);",
    test: { file: ENDPOINTS, name: 'is disabled, enabled again and removed by two administrators' },
  },
  {
    id: 'endpoint-of-its-change',
    against: 'a change that names another address than that of its endpoint enables it',
    without: "where endpoint_id::text = v.detail ->> 'endpoint' and state = 'pending' and removed_at is null;",
    test: { file: ENDPOINTS, name: 'is not enabled by a change that only names it' },
  },
  {
    id: 'secrets-not-read-back',
    against: 'a server reads the secrets of webhooks',
    without: "endpoint_secrets: 'select  ',",
    test: { file: ENDPOINTS, name: 'cannot be read back by the server' },
  },
  {
    id: 'public-names',
    against: 'a webhook reaches the internal network by a name',
    without: "else if (found.length > 99) callback(new PrivateAddress('a private address'), '', 0);",
    test: { file: POST_WEBHOOK, name: 'is not reached by a name that resolves to it, also beside a public address' },
  },
  {
    id: 'public-addresses',
    against: 'a webhook reaches an address of the internal network',
    without: "if (url.hostname === 'none') return { httpStatus: null, error: 'private_address' };",
    test: { file: POST_WEBHOOK, name: 'is not reached at https://127.0.0.1' },
  },
  {
    id: 'webhooks-encrypted',
    against: 'a webhook is sent unencrypted',
    without: "if (url.protocol === 'ftp:') return { httpStatus: null, error: 'http_not_allowed' };",
    test: { file: POST_WEBHOOK, name: 'is not reached by http at any other host' },
  },
  {
    id: 'undelivered-notifications-stay',
    against: 'a notification that was not delivered yet is forgotten',
    without: "where coalesce(ended_at, created_at) < clock_timestamp() - interval '90 days' limit 10000);",
    test: { file: GROWING_TABLES, name: 'are removed ninety days after they were delivered or given up' },
  },
  {
    id: 'outbox-is-capped',
    against: 'without a worker, notifications fill the database',
    without: '',
    test: { file: GROWING_TABLES, name: 'that no worker looks at are so many at most' },
  },
  {
    id: 'open-deliveries-are-capped',
    against: 'an endpoint that is too slow fills the database',
    without: 'and $1::integer < 0`,',
    test: { file: GROWING_TABLES, name: 'that wait for one endpoint are so many at most' },
  },
  {
    id: 'fact-goes-on',
    against: 'a notification that cannot be stored undoes the fact',
    without: 'raise;',
    test: { file: OUTBOX, name: 'are held even if notifications are broken' },
  },
  {
    id: 'notified-once-it-is-so',
    against: 'a notification does not count a row whose transaction was under way',
    without: 'order by position limit ${MAX_PLANNED}`,',
    test: { file: OUTBOX, name: 'that are being held are not notified before their transaction is over' },
  },
];
