import { z } from 'zod';
import { json, errorsOf } from '../../api/answers.ts';
import {
  DRAFT_BODY_LIMIT_BYTES,
  draftChangeSchema,
  draftFileFormSchema,
  draftFormSchema,
  draftListSchema,
  draftParams,
  draftRowsQuery,
  draftRowsSchema,
  draftSchema,
  draftSubmissionSchema,
} from '../../api/payment-file/draft.ts';
import { acceptedSubmissionSchema } from '../../api/runs/submission.ts';
import type { Application } from '../../application/application-api.ts';
import { orNotFound } from '../../application/application-error.ts';
import type { Api } from '../api.ts';
import { readSubmissionForm } from '../runs/submission-form.ts';
import { fileRefused } from '../runs/submission-routes.ts';
import type { UploadIntake } from '../upload-intake.ts';
import { FORM_VALIDATOR } from '../upload-form.ts';
import { readDraftFileForm } from './draft-file-form.ts';
import { userOf } from '../users/access.ts';

type DraftingApplication = Pick<
  Application,
  | 'addDraft'
  | 'listDrafts'
  | 'findDraft'
  | 'listDraftRows'
  | 'changeDraft'
  | 'addDraftFile'
  | 'submitDraft'
  | 'deleteDraft'
>;

const NONE = 'there is no such draft';

/** Payment files that their makers correct before they submit them. */
export function addDraftRoutes(app: Api, application: DraftingApplication, intake: UploadIntake): void {
  app.post('/drafts', {
    config: { access: 'submit_run', takesUploads: true },
    validatorCompiler: FORM_VALIDATOR,
    schema: {
      operationId: 'addDraft',
      tags: ['drafts'],
      summary: 'Keep a payment file to correct it',
      description:
        'Takes the form of a submission, whatever is wrong with the cells of the file, and checks it. Nobody else sees it. It is ' +
        'deleted once it was submitted, or when it was not changed for a while.',
      consumes: ['multipart/form-data'],
      body: draftFormSchema,
      response: { 201: json('The draft, with what is wrong.', draftSchema), ...errorsOf(400, 409, 413, 415) },
    },
    handler: async (request, reply) => {
      const user = userOf(request);
      const draft = await intake.receive(user.userId, async (spool) =>
        application.addDraft(user, await readSubmissionForm(request, spool)),
      );
      return reply.code(201).header('location', `/api/v1/drafts/${draft.draftId}`).send(draft);
    },
  });

  app.get('/drafts', {
    config: { access: 'submit_run' },
    schema: {
      operationId: 'listDrafts',
      tags: ['drafts'],
      summary: 'Your drafts, those that were changed last first',
      response: { 200: json('The drafts.', draftListSchema), ...errorsOf() },
    },
    handler: (request) => application.listDrafts(userOf(request)),
  });

  addDraftReads(app, application);
  addDraftWrites(app, application, intake);
  addDraftEnds(app, application, intake);
}

function addDraftReads(app: Api, application: DraftingApplication): void {
  app.get('/drafts/:draftId', {
    config: { access: 'submit_run' },
    schema: {
      operationId: 'getDraft',
      tags: ['drafts'],
      summary: 'One of your drafts, with what is wrong by cause',
      params: draftParams,
      response: { 200: json('The draft.', draftSchema), ...errorsOf(400, 404) },
    },
    handler: async (request) => orNotFound(await application.findDraft(userOf(request), request.params.draftId), NONE),
  });

  app.get('/drafts/:draftId/rows', {
    config: { access: 'submit_run' },
    schema: {
      operationId: 'listDraftRows',
      tags: ['drafts'],
      summary: 'Rows of a draft with what is wrong in each',
      params: draftParams,
      querystring: draftRowsQuery,
      response: { 200: json('The rows.', draftRowsSchema), ...errorsOf(400, 404) },
    },
    handler: async (request) =>
      orNotFound(await application.listDraftRows(userOf(request), request.params.draftId, request.query), NONE),
  });
}

function addDraftWrites(app: Api, application: DraftingApplication, intake: UploadIntake): void {
  app.patch('/drafts/:draftId', {
    config: { access: 'submit_run', takesUploads: true },
    bodyLimit: DRAFT_BODY_LIMIT_BYTES,
    schema: {
      operationId: 'changeDraft',
      tags: ['drafts'],
      summary: 'Change cells of a draft, and check it again',
      params: draftParams,
      body: draftChangeSchema,
      response: { 200: json('The draft afterwards.', draftSchema), ...errorsOf(400, 404, 409, 413, 415) },
    },
    handler: (request) =>
      intake.receive(userOf(request).userId, () =>
        application.changeDraft(userOf(request), request.params.draftId, request.body),
      ),
  });

  app.post('/drafts/:draftId/files', {
    config: { access: 'submit_run', takesUploads: true },
    validatorCompiler: FORM_VALIDATOR,
    schema: {
      operationId: 'addDraftFile',
      tags: ['drafts'],
      summary: 'Add a supporting file to a draft, and check it again',
      description: 'One that has the name of another is refused: remove that one first, by `removeFiles` of a change.',
      params: draftParams,
      consumes: ['multipart/form-data'],
      body: draftFileFormSchema,
      response: { 200: json('The draft afterwards.', draftSchema), ...errorsOf(400, 404, 409, 413, 415) },
    },
    handler: (request) =>
      intake.receive(userOf(request).userId, async (spool) =>
        application.addDraftFile(userOf(request), request.params.draftId, await readDraftFileForm(request, spool)),
      ),
  });
}

function addDraftEnds(app: Api, application: DraftingApplication, intake: UploadIntake): void {
  app.post('/drafts/:draftId/submit', {
    config: { access: 'submit_run' },
    schema: {
      operationId: 'submitDraft',
      tags: ['drafts'],
      summary: 'Submit a corrected file',
      description: 'As any other file is. Once it is accepted, the draft is deleted; a refused one stays.',
      params: draftParams,
      body: draftSubmissionSchema,
      response: { 201: json('The run was started.', acceptedSubmissionSchema), ...errorsOf(400, 404, 409, 415, 422) },
    },
    handler: async (request, reply) => {
      const user = userOf(request);
      const outcome = await intake.receive(user.userId, () =>
        application.submitDraft(user, request.params.draftId, request.body),
      );
      if (outcome.kind === 'refused') throw fileRefused(outcome.problems, outcome.problemCount);
      return reply.code(201).header('location', `/api/v1/runs/${outcome.runId}`).send(outcome);
    },
  });

  app.delete('/drafts/:draftId', {
    config: { access: 'submit_run' },
    schema: {
      operationId: 'deleteDraft',
      tags: ['drafts'],
      summary: 'Delete one of your drafts',
      params: draftParams,
      response: { 204: z.undefined().describe('It is deleted.'), ...errorsOf(400, 404) },
    },
    handler: async (request, reply) => {
      await application.deleteDraft(userOf(request), request.params.draftId);
      return reply.code(204).send();
    },
  });
}
