import type { ApplicationDependencies } from '../application-dependencies.ts';
import { bindUseCases } from '../bind-use-cases.ts';
import {
  addDraft,
  addDraftFile,
  changeDraft,
  deleteDraft,
  findDraft,
  listDraftRows,
  listDrafts,
  submitDraft,
} from './drafts.ts';
import { writeCorridorTemplate } from './corridor-template.ts';
import { proposeSheetReading } from './sheet-reading.ts';

export type DraftsApplication = ReturnType<typeof draftUseCases>;

export function draftUseCases(dependencies: ApplicationDependencies) {
  return bindUseCases(dependencies, {
    writeCorridorTemplate,
    proposeSheetReading,
    addDraft,
    listDrafts,
    findDraft,
    listDraftRows,
    changeDraft,
    addDraftFile,
    submitDraft,
    deleteDraft,
  });
}
