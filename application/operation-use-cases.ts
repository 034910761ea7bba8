import type { ApplicationDependencies } from './application-dependencies.ts';
import { bindUseCases } from './bind-use-cases.ts';
import { readRateLimiters } from './rate-limiter/read-rate-limiters.ts';
import { readWorkers } from './rate-limiter/read-workers.ts';
import { findWebhook, listWebhooks } from './webhooks/webhook-views.ts';

/** What operators look at. */
export type OperationsApplication = ReturnType<typeof operationUseCases>;

export function operationUseCases(dependencies: ApplicationDependencies) {
  return bindUseCases(dependencies, { listWebhooks, findWebhook, readRateLimiters, readWorkers });
}
