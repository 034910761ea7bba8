export type { Application } from './create-application.ts';
export type { RunListPage } from './runs/run-views.ts';
export type { RowPage } from './runs/list-rows.ts';
export type { Decision } from './approvals/decide-run.ts';
export type { IncomingWebhook } from './webhooks/receive-webhook.ts';
export type { Submission, SubmitOutcome } from './runs/submission.ts';
export type { SubmittedFile } from './payment-file/file-content.ts';
