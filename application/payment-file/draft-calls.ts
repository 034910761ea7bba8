import type { ApplicationDependencies } from '../application-dependencies.ts';
import * as drafts from './drafts.ts';
import type { DraftsApplication } from './drafts-api.ts';

export function draftCalls(dependencies: ApplicationDependencies) {
  return {
    addDraft: (user, file) => drafts.addDraft(dependencies, user, file),
    listDrafts: (user) => drafts.listDrafts(dependencies, user),
    findDraft: (user, draftId) => drafts.findDraft(dependencies, user, draftId),
    listDraftRows: (user, draftId, query) => drafts.listDraftRows(dependencies, user, draftId, query),
    changeDraft: (user, draftId, change) => drafts.changeDraft(dependencies, user, draftId, change),
    addDraftFile: (user, draftId, added) => drafts.addDraftFile(dependencies, user, draftId, added),
    submitDraft: (user, draftId, submission) => drafts.submitDraft(dependencies, user, draftId, submission),
    deleteDraft: (user, draftId) => drafts.deleteDraft(dependencies, user, draftId),
  } satisfies DraftsApplication;
}
