import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import multipart from '@fastify/multipart';
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import type { Logger } from 'pino';
import type { Application } from '../application/create-application.ts';
import { requireAccess } from './users/access.ts';
import type { AccessGuards } from './users/credentials.ts';
import type { Api } from './api.ts';
import { addDescriptionRoute, describeApi } from './api-description.ts';
import { BODY_LIMITS, type BodyLimits, limitArrival } from './body-arrival.ts';
import { refuseNulCharacters } from './nul-characters.ts';
import { answerErrors } from './error-answers.ts';
import { RefusedAccessLog } from './users/refused-access.ts';
import { quietLevel, RequestLog, safeError } from './request-log.ts';
import { addAccountRoutes } from './accounts/account-routes.ts';
import { addAuditRoutes } from './audit/audit-routes.ts';
import { addApprovalRoutes } from './approvals/approval-routes.ts';
import type { ConsoleFiles } from './console/console-files.ts';
import { addConsoleRoutes, sendConsolePage } from './console/console-routes.ts';
import { addHealthRoute } from './health-routes.ts';
import { addCaseRoutes } from './onboarding/case-routes.ts';
import { addApplicantRoutes } from './onboarding/submission-routes.ts';
import { addRateLimiterRoutes } from './rate-limiter/rate-limiter-routes.ts';
import { addReceivedWebhookRoutes } from './webhooks/received-webhook-routes.ts';
import { addNotificationRoutes } from './notifications/notification-routes.ts';
import { addInboxRoutes } from './inbox/inbox-routes.ts';
import { addStreamRoute } from './inbox/stream-routes.ts';
import { STREAM_SETTINGS, type StreamSettings } from './inbox/stream-topics.ts';
import { addFileColumnRoutes } from './payment-file/column-routes.ts';
import { addBeneficiaryRoutes } from './beneficiaries/beneficiary-routes.ts';
import { addDraftRoutes } from './payment-file/draft-routes.ts';
import { addReadingRoutes } from './payment-file/reading-routes.ts';
import { addRowRoutes } from './runs/row-routes.ts';
import { addInvitationRoute } from './users/invitation-routes.ts';
import { addLandingRoute } from './landing-routes.ts';
import { addMetricsRoute, type MetricsPage } from './metrics-route.ts';
import { addRequestContext, type RequestObserver } from './request-context.ts';
import { addReconciliationRoutes } from './reconciliation/reconciliation-routes.ts';
import { addManualOutcomeRoutes } from './payments/manual-outcome-routes.ts';
import { addReviewRoutes } from './runs/review-routes.ts';
import { addRunEventRoute } from './runs/run-event-routes.ts';
import { addRunFileRoutes } from './runs/run-file-routes.ts';
import { addRunRoutes } from './runs/run-routes.ts';
import { addSubmitRoute } from './runs/submission-routes.ts';
import { addScheduleRoutes } from './treasury/schedule-routes.ts';
import { addOrderRoutes } from './treasury/order-routes.ts';
import { addCompanyRoutes } from './users/company-routes.ts';
import { addFactorRoutes } from './users/factor-routes.ts';
import { addSessionRoutes } from './users/session-routes.ts';
import { addStepUpRoutes } from './users/step-up-routes.ts';
import { addTokenRoutes } from './users/token-routes.ts';
import { addUserRoutes } from './users/user-routes.ts';
import { addWebhookRoute, type WebhookObserver } from './webhooks/webhook-routes.ts';
import { hashOf } from './users/secret-hash.ts';
import { FEED_SETTINGS, type FeedSettings } from './runs/run-feeds.ts';
import { addSecurityHeaders } from './security-headers.ts';
import { UPLOAD_SETTINGS, UploadIntake, type UploadSettings } from './upload-intake.ts';
import { SignInDelay } from './users/sign-in-delay.ts';
import type { WebhookAccount } from './webhooks/webhook-tokens.ts';

export interface AppOptions {
  application: Application;
  /** Accounts whose webhooks are received. The list may grow while the server runs. */
  webhookAccounts: readonly WebhookAccount[];
  log: Logger | false;
  version: string;
  temporalUiUrl: string | null;
  /** Absent or null: it was not built, and the first page only has links. */
  console?: ConsoleFiles | null;
  /** The address at which people reach the server; absent: the one that each browser names. */
  publicUrl?: string | null;
  /** Addresses and networks of proxies, whose word on the origin of a request is taken; absent: nobody's is. */
  trustedProxies?: readonly string[];
  feed?: Partial<FeedSettings>;
  stream?: Partial<StreamSettings>;
  /** Replaces the default in tests. */
  signInDelay?: SignInDelay;
  submissions?: Partial<UploadSettings>;
  /** Shown at `/metrics`; absent: there is no such address. */
  metrics?: MetricsPage;
  /** What whoever scrapes shows as a bearer token; null: users alone read the metrics. */
  metricsToken?: string | null;
  observer?: RequestObserver & WebhookObserver;
  /** How long headers, bodies and whole requests may take to arrive; replaces the defaults in tests. */
  arrival?: Partial<ArrivalLimits>;
}

interface ArrivalLimits extends BodyLimits {
  headersTimeoutMs: number;
  requestTimeoutMs: number;
  /** How often connections are checked for both. */
  checkedEveryMs: number;
  /** Further ones are closed at once: each takes a file descriptor and memory before it says who it is of. */
  maxConnections: number;
}

const ARRIVAL: ArrivalLimits = {
  // Large enough for 512 MiB over a slow line; a request that takes longer to arrive is cut off.
  requestTimeoutMs: 600_000,
  headersTimeoutMs: 30_000,
  checkedEveryMs: 10_000,
  maxConnections: 4_000,
  ...BODY_LIMITS,
};
/** Of JSON bodies. Forms and webhooks have limits of their own. */
const BODY_LIMIT_BYTES = 256 * 1024;

/** A file's name may be as long as the cell that names it. */
const MAX_PARAMETER_LENGTH = 1_000;

/** The HTTP application; it does not listen yet. */
export function buildApp(options: AppOptions): FastifyInstance {
  const { application, version, temporalUiUrl } = options;
  const arrival = { ...ARRIVAL, ...options.arrival };
  const log: { loggerInstance?: FastifyBaseLogger } = options.log === false ? {} : { loggerInstance: options.log };
  const app = Fastify({
    ...log,
    logController: new RequestLog(),
    childLoggerFactory: (parent, bindings, settings) => parent.child(bindings, { ...settings, ...quietLevel(parent) }),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    // guard: proxies-as-listed
    trustProxy: options.trustedProxies?.length ? [...options.trustedProxies] : false,
    exposeHeadRoutes: false,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: arrival.requestTimeoutMs,
    http: { headersTimeout: arrival.headersTimeoutMs, connectionsCheckingInterval: arrival.checkedEveryMs },
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.server.maxConnections = arrival.maxConnections;
  app.decorate('isReachedByHttps', options.publicUrl?.startsWith('https:') ?? false);
  addSecurityHeaders(app);
  limitArrival(app, arrival);
  addRequestContext(app, options.observer);
  refuseNulCharacters(app);
  const { console: files } = options;
  answerErrors(app, files ? (reply) => sendConsolePage(reply, files) : null);
  void app.register((described: Api) => addDescribedRoutes(described, options));
  if (files) addConsoleRoutes(app, files);
  else addLandingRoute(app.withTypeProvider(), version, temporalUiUrl);
  void app.register((webhooks, _options, done) => {
    addWebhookRoute(webhooks, application, options);
    done();
  });
  return app;
}

async function addDescribedRoutes(app: Api, options: AppOptions): Promise<void> {
  const { application, version, feed, stream, submissions, publicUrl = null } = options;
  await describeApi(app, version);
  const guards = accessGuards(app, options);
  const intake = new UploadIntake(application, { ...UPLOAD_SETTINGS, ...submissions });
  app.addHook('onReady', () => intake.removeLeftovers(app.log));
  await app.register(cookie);
  requireAccess(app, application, guards, publicUrl);
  // The form's own reader names the file that is too large; the plugin's error could not.
  await app.register(multipart, { throwFileSizeLimit: false });
  // Also without a version: monitors are configured once.
  addHealthRoute(app, application, version, 'getHealthUnversioned');
  if (options.metrics !== undefined) addMetricsRoute(app, options.metrics);
  await app.register(
    (api: Api, _options, done) => {
      addHealthRoute(api, application, version);
      addDescriptionRoute(api);
      addInboxRoutes(api, application);
      addStreamRoute(api, application, { ...STREAM_SETTINGS, ...stream });
      addRunRoutes(api, application);
      addRowRoutes(api, application);
      addBeneficiaryRoutes(api, application, intake);
      addFileColumnRoutes(api, application);
      addDraftRoutes(api, application, intake);
      addReadingRoutes(api, application, intake);
      addSubmitRoute(api, application, intake);
      addApprovalRoutes(api, application);
      addManualOutcomeRoutes(api, application);
      addAuditRoutes(api, application);
      addReviewRoutes(api, application);
      addRunFileRoutes(api, application);
      addRunEventRoute(api, application, { ...FEED_SETTINGS, ...feed });
      addSessionRoutes(api, application, guards, publicUrl);
      addFactorRoutes(api, application, publicUrl);
      addStepUpRoutes(api, application, guards, publicUrl);
      addCompanyRoutes(api, application, guards, publicUrl);
      addTokenRoutes(api, application);
      addInvitationRoute(api, application, guards);
      addUserRoutes(api, application);
      addApplicantRoutes(api, application, intake);
      addCaseRoutes(api, application);
      addAccountRoutes(api, application);
      addOrderRoutes(api, application);
      addReconciliationRoutes(api, application);
      addNotificationRoutes(api, application);
      addReceivedWebhookRoutes(api, application);
      addRateLimiterRoutes(api, application);
      addScheduleRoutes(api, application);
      done();
    },
    { prefix: '/api/v1' },
  );
}

function accessGuards(app: Api, { application, signInDelay, metricsToken = null }: AppOptions): AccessGuards {
  const refused = new RefusedAccessLog(
    (attempt) => application.noteRefusedAccess(attempt),
    (error) => {
      app.log.warn({ error: safeError(error) }, 'a refused attempt could not be recorded');
    },
  );
  app.addHook('onClose', () => refused.close());
  const metricsTokenHash = metricsToken === null ? null : hashOf(metricsToken);
  return { refused, signInDelay: signInDelay ?? new SignInDelay(), metricsTokenHash };
}
