import { z } from 'zod';
import type { Application } from '../../application/application-api.ts';
import { userOf } from '../users/access.ts';
import type { Api } from '../api.ts';
import { HttpError } from '../http-error.ts';
import { json, errorsOf } from '../../api/answers.ts';
import { submissionFormSchema, acceptedSubmissionSchema } from '../../api/runs/submission.ts';
import type { UploadIntake } from '../upload-intake.ts';
import { readSubmissionForm } from './submission-form.ts';

/** Submits a payment file. */
export function addSubmitRoute(app: Api, application: Pick<Application, 'submit'>, intake: UploadIntake): void {
  app.post('/runs', {
    config: { access: 'submit_run', takesUploads: true },
    // The form is read part by part; its fields are checked there, by the schema that this one extends.
    validatorCompiler: () => (value: unknown) => ({ value }),
    schema: {
      operationId: 'submitRun',
      tags: ['runs'],
      summary: 'Submit a payment file',
      description:
        'Checks every row, and starts a run when the file is accepted. Nothing is paid before its approval. Sent again ' +
        'with the same Idempotency-Key by the same user, the same submission is the same run; another one is refused (409), ' +
        'and `details.runId` names the run of that key.',
      headers: z.object({ 'idempotency-key': z.string().optional().describe('1 to 200 visible ASCII characters.') }),
      consumes: ['multipart/form-data'],
      body: submissionFormSchema,
      response: {
        201: json('The run was started.', acceptedSubmissionSchema),
        ...errorsOf(400, 409, 413, 415, 422),
      },
    },
    handler: async (request, reply) => {
      const user = userOf(request);
      const idempotencyKey = keyOf(request.headers['idempotency-key']);
      const outcome = await intake.receive(user.userId, async (spool) =>
        application.submit(user, { ...(await readSubmissionForm(request, spool)), idempotencyKey }),
      );
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

/** What is answered when a file is refused. */
export function fileRefused(problems: unknown[], problemCount: number): HttpError {
  const things = problemCount === 1 ? 'one thing in it is' : `${problemCount} things in it are`;
  const message = `the file was refused, nothing was paid: ${things} wrong`;
  return new HttpError(422, 'file_refused', message, { problems, problemCount });
}
