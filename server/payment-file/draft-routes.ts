import { DRAFT_BODY_LIMIT_BYTES } from '../../api/payment-file/draft.ts';
import { draftEndpoints } from '../../api/payment-file/endpoints.ts';
import type { Application } from '../../application/create-application.ts';
import { orNotFound } from '../../application/application-error.ts';
import type { Api } from '../api.ts';
import { readSubmissionForm } from '../runs/submission-form.ts';
import { fileRefused } from '../runs/submission-routes.ts';
import { serve } from '../serve.ts';
import type { UploadIntake } from '../upload-intake.ts';
import { readDraftFileForm } from './draft-file-form.ts';

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
        const draft = await intake.receive(user.userId, async (spool) =>
          application.addDraft(user, await readSubmissionForm(request, spool)),
        );
        void reply.header('location', `/api/v1/drafts/${draft.draftId}`);
        return draft;
      },
      listDrafts: ({ user }) => application.listDrafts(user),
      getDraft: async ({ user, params: { draftId } }) => orNotFound(await application.findDraft(user, draftId), NONE),
      listDraftRows: async ({ user, params: { draftId }, query }) =>
        orNotFound(await application.listDraftRows(user, draftId, query), NONE),
      changeDraft: ({ user, params: { draftId }, body }) =>
        intake.receive(user.userId, () => application.changeDraft(user, draftId, body)),
      addDraftFile: ({ user, params: { draftId }, request }) =>
        intake.receive(user.userId, async (spool) =>
          application.addDraftFile(user, draftId, await readDraftFileForm(request, spool)),
        ),
      submitDraft: async ({ user, params: { draftId }, body, reply }) => {
        const outcome = await intake.receive(user.userId, () => application.submitDraft(user, draftId, body));
        if (outcome.kind === 'refused') throw fileRefused(outcome.problems, outcome.problemCount);
        void reply.header('location', `/api/v1/runs/${outcome.runId}`);
        return outcome;
      },
      deleteDraft: ({ user, params: { draftId } }) => application.deleteDraft(user, draftId),
    },
    { changeDraft: { bodyLimit: DRAFT_BODY_LIMIT_BYTES, takesUploads: true } },
  );
}
