import { submissionEndpoints } from '../../api/runs/endpoints.ts';
import type { Application } from '../../application/create-application.ts';
import type { Api } from '../api.ts';
import { HttpError } from '../http-error.ts';
import { serve } from '../serve.ts';
import type { UploadIntake } from '../upload-intake.ts';
import { readSubmissionForm } from './submission-form.ts';

export function addSubmitRoute(app: Api, application: Pick<Application, 'submit'>, intake: UploadIntake): void {
  serve(app, submissionEndpoints, {
    submitRun: async ({ user, request, reply }) => {
      const idempotencyKey = keyOf(request.headers['idempotency-key']);
      const outcome = await intake.receive(user, request, async (spool) =>
        application.submit(user, { ...(await readSubmissionForm(request, spool)), idempotencyKey }),
      );
      if (outcome.kind === 'refused') throw fileRefused(outcome.problems, outcome.problemCount);
      void reply.header('location', `/api/v1/runs/${outcome.runId}`);
      return outcome;
    },
  });
}

const VALID_KEY = /^[!-~]{1,200}$/;

function keyOf(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  if (typeof header === 'string' && VALID_KEY.test(header)) return header;
  throw new HttpError(400, 'invalid_input', 'Idempotency-Key: give one of 1 to 200 visible ASCII characters');
}

/** What is answered when a file is refused. */
export function fileRefused(problems: unknown[], problemCount: number, sheetNames: readonly string[] = []): HttpError {
  const things = problemCount === 1 ? 'one thing in it is' : `${problemCount} things in it are`;
  const message = `the file was refused, nothing was paid: ${things} wrong`;
  return new HttpError(422, 'file_refused', message, {
    problems,
    problemCount,
    ...(sheetNames.length > 0 ? { sheetNames } : {}),
  });
}
