import type { FastifyRequest } from 'fastify';
import { DRAFT_BODY_LIMIT_BYTES, draftFileFieldsSchema } from '../../api/payment-file/draft.ts';
import { draftEndpoints } from '../../api/payment-file/endpoints.ts';
import { FILE_LIMIT_BYTES } from '../../api/runs/submission.ts';
import { orNotFound } from '../../application/application-error.ts';
import type { Application } from '../../application/create-application.ts';
import type { NewDraftFile } from '../../application/payment-file/drafts.ts';
import type { Api } from '../api.ts';
import { readSubmissionForm } from '../runs/submission-form.ts';
import { fileRefused } from '../runs/submission-routes.ts';
import type { SubmissionSpool } from '../runs/submission-spool.ts';
import { serve } from '../serve.ts';
import { checkedFields, readUploadForm, type UploadFormShape, wrongField } from '../upload-form.ts';
import type { UploadIntake } from '../upload-intake.ts';

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

export function addDraftRoutes(app: Api, application: DraftingApplication, intake: UploadIntake): void {
  serve(
    app,
    draftEndpoints,
    {
      addDraft: async ({ user, request, reply }) => {
        const draft = await intake.receive(user, request, async (spool) =>
          application.addDraft(user, await readSubmissionForm(request, spool)),
        );
        void reply.header('location', `/api/v1/drafts/${draft.draftId}`);
        return draft;
      },
      listDrafts: ({ user }) => application.listDrafts(user),
      getDraft: async ({ user, params: { draftId } }) => orNotFound(await application.findDraft(user, draftId), NONE),
      listDraftRows: async ({ user, params: { draftId }, query }) =>
        orNotFound(await application.listDraftRows(user, draftId, query), NONE),
      changeDraft: ({ user, params: { draftId }, body, request }) =>
        intake.receive(user, request, () => application.changeDraft(user, draftId, body)),
      addDraftFile: ({ user, params: { draftId }, request }) =>
        intake.receive(user, request, async (spool) =>
          application.addDraftFile(user, draftId, await readDraftFileForm(request, spool)),
        ),
      submitDraft: async ({ user, params: { draftId }, body, request, reply }) => {
        const outcome = await intake.receive(user, request, () => application.submitDraft(user, draftId, body));
        if (outcome.kind === 'refused') throw fileRefused(outcome.problems, outcome.problemCount);
        void reply.header('location', `/api/v1/runs/${outcome.runId}`);
        return outcome;
      },
      deleteDraft: ({ user, params: { draftId } }) => application.deleteDraft(user, draftId),
    },
    { changeDraft: { bodyLimit: DRAFT_BODY_LIMIT_BYTES, takesUploads: true } },
  );
}

const DRAFT_FILE_FORM: UploadFormShape = {
  main: {
    field: 'file',
    limitBytes: FILE_LIMIT_BYTES,
    description: 'the supporting file',
    defaultName: '',
  },
  filesField: 'files',
  filesLimitBytes: FILE_LIMIT_BYTES,
};

/** Reads a supporting file for a draft from a multipart form. Throws HttpError that names the field. */
async function readDraftFileForm(request: FastifyRequest, spool: SubmissionSpool): Promise<NewDraftFile> {
  const { fileName, file, files, fields } = await readUploadForm(request, spool, DRAFT_FILE_FORM);
  if (files.length > 0) throw wrongField('files', 'is not a file field here: send one file, as file');
  if (fileName === '') throw wrongField('file', 'has no name, by which rows could mention it');
  return { ...checkedFields(draftFileFieldsSchema, fields), file: { name: fileName, bytes: file } };
}
