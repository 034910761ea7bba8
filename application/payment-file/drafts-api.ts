export type { DraftsApplication } from './use-cases.ts';
export type { NewDraftFile } from './drafts.ts';
