import type { CommandLineVariable, ServiceVariable } from './known-variables.ts';
import { PROVIDER_VARIANTS } from './provider-variant-descriptions.ts';
import { QUOTA_DESCRIPTIONS } from './quota-descriptions.ts';
import type { VariableDescription } from './variable-description.ts';

/** What each environment variable sets, as docs/configuration.md lists them. */

const CREDENTIAL: VariableDescription = {
  group: 'Provider',
  default: null,
  sets: 'one of the three credentials of the provider; workers alone have them',
};

const AUTHORITIES = 'the usual authorities';

export const VARIABLE_DESCRIPTIONS: Readonly<Record<ServiceVariable | CommandLineVariable, VariableDescription>> = {
  PAYRUN_API_URL: {
    group: 'Provider',
    default: 'the sandbox, with `payrun up`',
    sets: "address of the provider's API",
  },
  PAYRUN_API_KEY: CREDENTIAL,
  PAYRUN_ACCESS_KEY_ID: CREDENTIAL,
  PAYRUN_SECRET_ACCESS_KEY: CREDENTIAL,
  PAYRUN_API_CA_FILE: {
    group: 'Provider',
    default: AUTHORITIES,
    sets: 'path of the certificates (PEM) that the provider and its uploads are trusted by',
  },
  PAYRUN_CONFIG: {
    group: 'Provider',
    default: '`payrun.yaml` in the working directory, if it exists',
    sets: 'path of the [accounts file](#payrunyaml); `none`: none is read',
  },
  PAYRUN_REQUESTS_PER_SECOND: {
    group: 'Limits and times',
    default: '5',
    sets: 'maximum number of requests to the provider in any second; 0 lifts both limits',
  },
  PAYRUN_REQUESTS_PER_DAY: {
    group: 'Limits and times',
    default: '432000',
    sets: 'maximum number of requests a day (UTC)',
  },
  PAYRUN_REQUESTS_RESERVED_PER_DAY: {
    group: 'Limits and times',
    default: '1 % of the requests a day',
    sets: 'the last requests of a day, kept to fund and confirm what exists with the provider already',
  },
  PAYRUN_REQUEST_TIMEOUT_MS: {
    group: 'Limits and times',
    default: '20000',
    sets: 'a request without an answer is given up after so many milliseconds; its outcome is then looked up',
  },
  PAYRUN_VISIBILITY_DELAY_MS: {
    group: 'Limits and times',
    default: '5000',
    sets: 'how many milliseconds the effect of a request may take to show in a later read',
  },
  PAYRUN_STATUS_POLL_INTERVAL_MS: {
    group: 'Limits and times',
    default: '20000',
    sets: 'minimum milliseconds between two reads of payments in flight; the pauses grow from there',
  },
  PAYRUN_SIGN_UP_PAUSE_MS: {
    group: 'Limits and times',
    default: '300000',
    sets: 'after a sign-up without an answer, nobody else of the account is signed up for so many milliseconds; the same for servers and workers',
  },
  ...QUOTA_DESCRIPTIONS,
  PAYRUN_DRAFT_DAYS: {
    group: 'Limits and times',
    default: '7',
    sets: 'after so many days without a change, a payment file that is being corrected in the console is deleted',
  },
  PAYRUN_REFERENCE_RATES: {
    group: 'Limits and times',
    default: "the middle of the provider's rates",
    sets: 'a JSON file with rates of your own or of a central bank, which quotes of conversions are compared with, by which the limits of the policy value other currencies, and by which the proposal of a run bounds the rate of its payments; workers read it again when it changes',
  },
  PAYRUN_PAYMENT_STATUSES: {
    group: 'Variants of the provider',
    default: '`under_review=processing,in_transit=processing`',
    sets: 'statuses that the contract does not name, each with what it means: `processing`, `completed`, `rejected` or `failed`',
  },
  PAYRUN_WEBHOOK_TOKEN: {
    group: 'Webhooks',
    default: 'made at the first start and kept in the data folder',
    sets:
      'secret part of the webhook address, 16 characters or more; two, separated by a comma or a line, while one replaces the other. With a ' +
      'provider that is not the sandbox, it or the headers are required',
  },
  PAYRUN_WEBHOOK_HEADERS: {
    group: 'Webhooks',
    default: 'none',
    sets: 'headers that every webhook must carry, as a JSON object of names and values',
  },
  ...PROVIDER_VARIANTS,
  DATABASE_URL: {
    group: 'Postgres',
    default: 'embedded, with `payrun up`',
    sets: 'address of Postgres, `postgres://…`, with the login of this kind of process',
  },
  PAYRUN_OWNER_DATABASE_URL: {
    group: 'Postgres',
    default: null,
    sets: 'the same with the login of the owner: for `payrun migrate` and `payrun administrator` alone',
  },
  DATABASE_CA_FILE: {
    group: 'Postgres',
    default: AUTHORITIES,
    sets: 'path of the certificates (PEM) that Postgres is trusted by',
  },
  TEMPORAL_ADDRESS: {
    group: 'Temporal',
    default: 'embedded, with `payrun up`',
    sets: 'address of Temporal, `host:port`',
  },
  TEMPORAL_NAMESPACE: { group: 'Temporal', default: '`default`', sets: 'its namespace' },
  TEMPORAL_API_KEY: { group: 'Temporal', default: null, sets: 'an API key of Temporal, sent over TLS' },
  TEMPORAL_TLS: {
    group: 'Temporal',
    default: '`true` with an API key or a certificate',
    sets: '`true`: Temporal is reached over TLS; `false`: it is not',
  },
  TEMPORAL_TLS_CA: {
    group: 'Temporal',
    default: AUTHORITIES,
    sets: 'path of the certificates (PEM) that Temporal is trusted by',
  },
  TEMPORAL_TLS_CERT: { group: 'Temporal', default: null, sets: 'path of a client certificate (PEM)' },
  TEMPORAL_TLS_KEY: { group: 'Temporal', default: null, sets: 'path of its key (PEM)' },
  TEMPORAL_UI_URL: {
    group: 'Temporal',
    default: 'that of the embedded Temporal',
    sets: "address of Temporal's web interface, for links to it",
  },
  PAYRUN_TEMPORAL_CLI: {
    group: 'Temporal',
    default: 'found, downloaded or built',
    sets: 'path of the `temporal` program that `payrun up` and the tests start',
  },
  PAYRUN_HOME: { group: 'Server and data', default: '`.payrun` in the working directory', sets: 'the data folder' },
  PAYRUN_HTTP_HOST: { group: 'Server and data', default: '127.0.0.1', sets: 'the address that the server listens on' },
  PAYRUN_HTTP_PORT: { group: 'Server and data', default: '8700', sets: 'the port that the server listens on' },
  PAYRUN_AUDIT_EXPORT: {
    group: 'Server and data',
    default: 'none: the audit trail is in the database alone',
    sets: 'folder, or address, that workers [export the audit trail](running.md#export-of-the-audit-trail) to',
  },
  PAYRUN_AUDIT_EXPORT_TOKEN: {
    group: 'Server and data',
    default: null,
    sets: 'what workers show to the address of PAYRUN_AUDIT_EXPORT, as a bearer token',
  },
  PAYRUN_TRUSTED_PROXIES: {
    group: 'Server and data',
    default: 'none: nothing that a proxy says is believed',
    sets: 'addresses and networks of the proxies whose word on the [origin of requests](running.md#http) is taken: a comma list',
  },
  PAYRUN_LOG_LEVEL: {
    group: 'Server and data',
    default: '`info`',
    sets: '`trace`, `debug`, `info`, `warn`, `error` or `silent`',
  },
  PAYRUN_ALLOW_PLAINTEXT: {
    group: 'Server and data',
    default: 'none',
    sets:
      'what may be reached unencrypted beyond this machine: a comma list of `provider`, `server`, `postgres`, `temporal`, ' +
      '`uploads`, `mail` and `traces`',
  },
  PAYRUN_CALENDARS: {
    group: 'Treasury',
    default: 'the holidays of the countries of the currencies',
    sets: "path of a YAML file with a company's own corrections of the calendars ([treasury](treasury.md#calendars)); the same for servers and workers",
  },
  PAYRUN_DOCUMENT_REQUIREMENTS: {
    group: 'Personal data',
    default: 'a person: identity and address; a company: proof, address, and the identity of its contact',
    sets: 'path of a YAML file that says which documents applicants must give ([onboarding](onboarding.md#documents))',
  },
  PAYRUN_DATA_KEY: {
    group: 'Personal data',
    default: 'with `payrun up`: the file `data-key` in the data folder, made at the first start',
    sets:
      'the keys that personal data is encrypted with, one per line, each base64 of 32 bytes: the first one encrypts, further ones ' +
      'only read ([personal data](personal-data.md#the-data-key)). The same for every worker and server: without one ' +
      'nothing is submitted or paid',
  },
  PAYRUN_SMTP_URL: {
    group: 'Notifications',
    default: 'none: mail endpoints fail, and who makes a code to sign in sees it',
    sets: 'address of the mail server with its login, `smtps://user:password@host` or `smtp://…`: workers send notifications, and servers codes to sign in, to their users alone',
  },
  PAYRUN_MAIL_FROM: {
    group: 'Notifications',
    default: null,
    sets: 'sender of mails, an address or `Name <address>`; goes with PAYRUN_SMTP_URL',
  },
  PAYRUN_PUBLIC_URL: {
    group: 'Notifications',
    default: 'none: notifications have no links',
    sets: 'address of the server as its users reach it, in links and for passkeys and the sign-in of the company',
  },
  PAYRUN_OIDC_ISSUER: {
    group: 'Sign-in',
    default: 'none: people sign in with passwords',
    sets:
      'issuer of the sign-in of the company (OpenID Connect), exactly as it names itself. It must sign with RS256. The same for ' +
      'every worker and server: workers read its keys, servers sign people in. It should say when people have signed in there (`auth_time`)',
  },
  PAYRUN_OIDC_CLIENT_ID: {
    group: 'Sign-in',
    default: null,
    sets: 'what payrun is registered as at the issuer; goes with PAYRUN_OIDC_ISSUER',
  },
  PAYRUN_OIDC_CLIENT_SECRET: {
    group: 'Sign-in',
    default: null,
    sets: 'its secret; servers alone have it',
  },
  PAYRUN_OIDC_NAME: {
    group: 'Sign-in',
    default: 'your company',
    sets: 'what the page for signing in calls it',
  },
  PAYRUN_NOTIFICATION_PRIVATE_HOSTS: {
    group: 'Notifications',
    default: 'none',
    sets:
      'hosts of webhooks that may be in a private network, and be reached by http: a comma list of whole names. The same for ' +
      'every worker and server',
  },
  PAYRUN_NOTIFICATION_QUIET_MS: {
    group: 'Notifications',
    default: '3600000',
    sets: 'after a notification of rows that are held, unknown or wait for money, none of its type about the same run for so many milliseconds',
  },
  PAYRUN_METRICS_TOKEN: {
    group: 'Metrics and traces',
    default: 'none: the server shows its metrics to its users alone, a worker to whoever reaches its port',
    sets: 'the bearer token of whoever scrapes, 16 characters or more ([operations](operations/README.md#who-may-read-them))',
  },
  PAYRUN_METRICS_PORT: {
    group: 'Metrics and traces',
    default: 'none: a worker shows no metrics',
    sets: 'the port of `/metrics` of a worker; each worker of a machine needs its own. Those of a server are at its own address',
  },
  PAYRUN_METRICS_HOST: {
    group: 'Metrics and traces',
    default: '127.0.0.1',
    sets: 'the address that a worker listens on for `/metrics`; another than this machine needs PAYRUN_METRICS_TOKEN',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    group: 'Metrics and traces',
    default: 'none: there are no traces',
    sets: 'address of an OpenTelemetry collector; `/v1/traces` is added ([traces](operations/README.md#traces))',
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
    group: 'Metrics and traces',
    default: 'none',
    sets: 'the same with its whole path, for traces alone',
  },
  OTEL_TRACES_EXPORTER: {
    group: 'Metrics and traces',
    default: '`otlp` with an endpoint',
    sets: '`none`: there are no traces, although an endpoint is set',
  },
  OTEL_SDK_DISABLED: { group: 'Metrics and traces', default: '`false`', sets: '`true`: there are no traces' },
  PAYRUN_URL: {
    group: 'Command line',
    default: 'the payrun that runs from this folder',
    sets: 'address of the server',
  },
  PAYRUN_TOKEN: { group: 'Command line', default: null, sets: 'the token of the user who acts' },
  PAYRUN_AS: {
    group: 'Command line',
    default: 'the only user who is signed in',
    sets: 'the login of the signed-in user who acts',
  },
  PAYRUN_CA_FILE: {
    group: 'Command line',
    default: AUTHORITIES,
    sets: 'path of the certificates (PEM) that the server is trusted by',
  },
};
