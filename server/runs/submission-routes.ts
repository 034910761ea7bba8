import { tmpdir } from 'node:os';
import { z } from 'zod';
import type { Application } from '../../application/application-api.ts';
import { userOf } from '../users/access.ts';
import type { Api } from '../api.ts';
import { HttpError } from '../http-error.ts';
import { safeError } from '../request-log.ts';
import { json, errorsOf } from '../../api/answers.ts';
import { submissionFormSchema, submitReceiptSchema } from '../../api/runs/submission.ts';
import { readSubmissionForm } from './submission-form.ts';
import { type SlotLimits, SubmissionSlots } from './submission-slots.ts';
import { SubmissionSpool, removeLeftoverSpools } from './submission-spool.ts';

export interface SubmissionSettings extends SlotLimits {
  /** Keeps the files of submissions until they are answered. */
  spoolFolder: string;
}

export const SUBMISSION_SETTINGS: SubmissionSettings = {
  maxConcurrent: 4,
  maxConcurrentPerUser: 2,
  spoolFolder: tmpdir(),
};

/** Submits a payment file. */
export function addSubmitRoute(app: Api, application: Pick<Application, 'submit'>, settings: SubmissionSettings): void {
  const slots = new SubmissionSlots(settings);
  app.addHook('onReady', () => removeLeftovers(app, settings.spoolFolder));
  app.post('/runs', {
    config: { access: 'submit_run' },
    // The form is read part by part; its fields are checked there, by the schema that this one extends.
    validatorCompiler: () => (value: unknown) => ({ value }),
    schema: {
      operationId: 'submitRun',
      tags: ['runs'],
      summary: 'Submit a payment file',
      description:
        'Checks every row, and starts a run when the file is accepted. Nothing is paid before its approval. Sent again ' +
        'with the same Idempotency-Key by the same user, the same submission is the same run; another one is refused (409).',
      headers: z.object({ 'idempotency-key': z.string().optional().describe('1 to 200 visible ASCII characters.') }),
      consumes: ['multipart/form-data'],
      body: submissionFormSchema,
      response: {
        201: json('The run was started.', submitReceiptSchema),
        ...errorsOf(400, 409, 413, 415, 422),
      },
    },
    handler: async (request, reply) => {
      if (!request.isMultipart()) {
        throw new HttpError(
          415,
          'unsupported_media_type',
          'send the payment file as multipart/form-data, in a field csv',
        );
      }
      const user = userOf(request);
      const idempotencyKey = keyOf(request.headers['idempotency-key']);
      const release = slots.take(user.userId);
      const outcome = await withSpool(settings.spoolFolder, async (spool) =>
        application.submit(user, { ...(await readSubmissionForm(request, spool)), idempotencyKey }),
      ).finally(release);
      if (outcome.kind === 'refused') throw fileRefused(outcome.problems, outcome.problemCount);
      return reply.code(201).header('location', `/api/v1/runs/${outcome.runId}`).send(outcome);
    },
  });
}

const VALID_KEY = /^[!-~]{1,200}$/;

function keyOf(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  if (typeof header === 'string' && VALID_KEY.test(header)) return header;
  throw new HttpError(400, 'invalid_input', 'Idempotency-Key: give one of 1 to 200 visible ASCII characters');
}

async function withSpool<T>(folder: string, work: (spool: SubmissionSpool) => Promise<T>): Promise<T> {
  const spool = await SubmissionSpool.open(folder);
  try {
    return await work(spool);
  } finally {
    await spool.remove();
  }
}

/** Leftover files do not affect new submissions. */
async function removeLeftovers(app: Api, folder: string): Promise<void> {
  await removeLeftoverSpools(folder).catch((error: unknown) => {
    app.log.warn({ error: safeError(error) }, 'leftover files of submissions could not all be removed');
  });
}

function fileRefused(problems: unknown[], problemCount: number): HttpError {
  const things = problemCount === 1 ? 'one thing in it is' : `${problemCount} things in it are`;
  const message = `the file was refused, nothing was paid: ${things} wrong`;
  return new HttpError(422, 'file_refused', message, { problems, problemCount });
}
