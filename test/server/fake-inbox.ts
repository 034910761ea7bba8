import { type Profile, profileSchema } from '../../domain/import-profiles/profile.ts';
import { UnreadableFile } from '../../application/payment-file/file-problem.ts';
import { proposeReading } from '../../application/payment-file/propose-reading.ts';
import { ChoiceNeeded, SHEET_LIMITS } from '../../application/sheets/sheet.ts';
import type { SheetReadingOutcome, SheetToRead } from '../../application/payment-file/sheet-reading.ts';
import type { ActionsAnswer, AllowedAction } from '../../api/approvals/allowed-actions.ts';
import type { DecisionFacts } from '../../api/approvals/decision-facts.ts';
import type { Inbox } from '../../api/inbox/inbox.ts';
import type { SearchAnswer } from '../../api/inbox/search.ts';
import type { CorridorTemplateQuery } from '../../api/payment-file/corridor-template.ts';
import type { Draft, DraftChange, DraftList, DraftRows, DraftSubmission } from '../../api/payment-file/draft.ts';
import type { SuspectedRows } from '../../api/runs/release.ts';
import type { RowSummary } from '../../api/runs/row.ts';
import type { ActionableRow, RowDetail } from '../../api/runs/row-detail.ts';
import type { RunDetail, RunSummary } from '../../api/runs/run.ts';
import { ApplicationError } from '../../application/application-error.ts';
import type { InboxApplication } from '../../application/inbox/use-cases.ts';
import type { TopicState } from '../../application/inbox/read-topic.ts';
import type { DraftsApplication } from '../../application/payment-file/use-cases.ts';
import type { NewDraftFile } from '../../application/payment-file/drafts.ts';
import type { Submission, SubmitOutcome } from '../../application/runs/submission.ts';
import type { SignedIn } from '../../application/users/signed-in.ts';
import { FakeOperations } from './fake-operations.ts';

const APPROVE: AllowedAction = { action: 'approve', isAllowed: true, code: null, reason: null };
const NOW = '2026-01-05T09:00:00.000Z';

/** A run as it is answered alone, with what the user may do. */
export function detailOf(run: RunSummary): RunDetail {
  return {
    ...run,
    allowedActions: [APPROVE],
    waitingSince: null,
    expiresAt: null,
    erasableFrom: null,
    erasedAt: null,
    workflowUrl: null,
  };
}

const A_PROFILE = profileSchema.parse({
  name: 'A',
  headers: ['row_ref'],
  columns: { row_ref: { from: ['row_ref'] } },
});

export function aDraft(parts: Partial<Draft> = {}): Draft {
  return {
    ...{ draftId: '018f2a00-0000-7000-8000-0000000000d1', account: 'default', fileName: 'payments.csv' },
    ...{
      columns: ['row_ref'],
      fields: [['row_ref']],
      profile: A_PROFILE,
      notes: [],
      files: [],
      rowCount: 1,
      revision: 1,
    },
    ...{ problemCount: 0, problemRows: 0, warningCount: 0, fileProblems: [], groups: [] },
    ...{ removedRows: [], leftOut: null },
    ...{ createdAt: NOW, changedAt: NOW, deletedAt: NOW },
    ...parts,
  };
}

/** What waits for a user, what they may do, and drafts, over plain memory. Each draft belongs to the user of its entry. */
export abstract class FakeInbox extends FakeOperations implements InboxApplication, DraftsApplication {
  /** What a release would pay. */
  suspects: SuspectedRows = {
    ...{ rowCount: 0, amounts: [], alikeCount: 0, similarCount: 0, runs: [] },
    hash: 'e'.repeat(64),
  };
  inbox: Inbox = { count: 0, groups: [] };
  topic: TopicState | null = { state: 'running', count: 1, changedAt: NOW };
  auditPosition = 1;
  readonly searched: string[] = [];
  readonly drafts = new Map<string, { userId: string; draft: Draft }>();
  /** Those that may read a sheet that comes without one. */
  readonly knownProfiles: Profile[] = [];

  abstract findRun(runId: string): Promise<RunSummary | null>;
  abstract readonly rowDetails: ReadonlyMap<string, RowDetail>;
  abstract readonly rows: readonly RowSummary[];
  abstract submit(user: SignedIn, submission: Submission): Promise<SubmitOutcome>;

  async readInbox(): Promise<Inbox> {
    await this.meet('readInbox');
    return this.inbox;
  }

  async search(_user: SignedIn, text: string): Promise<SearchAnswer> {
    await this.meet('search');
    this.searched.push(text);
    return { hits: [], hasMore: false };
  }

  async allowedActions(): Promise<AllowedAction[]> {
    await this.meet('allowedActions');
    return [APPROVE];
  }

  async actionsOf(_user: SignedIn, texts: readonly string[]): Promise<ActionsAnswer> {
    await this.meet('actionsOf');
    return { actions: Object.fromEntries(texts.map((text) => [text, [APPROVE]])) };
  }

  async findRunFor(_user: SignedIn, runId: string): Promise<RunDetail | null> {
    const run = await this.findRun(runId);
    return run === null ? null : detailOf(run);
  }

  async findRowByLine(_user: SignedIn, { line }: { line: number }): Promise<ActionableRow | null> {
    await this.meet('findRowByLine');
    const row = [...this.rowDetails.values()].find((each) => each.line === line);
    return row === undefined ? null : { ...row, allowedActions: [], workflowUrl: null };
  }

  async findDecisionFacts(): Promise<DecisionFacts | null> {
    await this.meet('findDecisionFacts');
    return null;
  }

  async readTopic(): Promise<TopicState | null> {
    await this.meet('readTopic');
    return this.topic;
  }

  async readAuditPosition(): Promise<number> {
    await this.meet('readAuditPosition');
    return this.auditPosition;
  }

  async addDraft(user: SignedIn, { fileName }: { fileName: string }): Promise<Draft> {
    await this.meet('addDraft');
    const draft = aDraft({ fileName });
    this.drafts.set(draft.draftId, { userId: user.userId, draft });
    return draft;
  }

  async listDrafts(user: SignedIn): Promise<DraftList> {
    await this.meet('listDrafts');
    return { drafts: [...this.drafts.values()].filter((one) => one.userId === user.userId).map(({ draft }) => draft) };
  }

  async findDraft(user: SignedIn, draftId: string): Promise<Draft | null> {
    await this.meet('findDraft');
    const found = this.drafts.get(draftId);
    return found?.userId === user.userId ? found.draft : null;
  }

  async listDraftRows(user: SignedIn, draftId: string): Promise<DraftRows | null> {
    const draft = await this.findDraft(user, draftId);
    return draft === null ? null : { revision: draft.revision, total: 0, rows: [] };
  }

  async changeDraft(user: SignedIn, draftId: string, { revision }: DraftChange): Promise<Draft> {
    const draft = await this.ownDraft(user, draftId);
    const changed = { ...draft, revision: revision + 1 };
    this.drafts.set(draftId, { userId: user.userId, draft: changed });
    return changed;
  }

  async addDraftFile(user: SignedIn, draftId: string, { revision, file }: NewDraftFile): Promise<Draft> {
    const draft = await this.ownDraft(user, draftId);
    const changed = { ...draft, files: [...draft.files, file.name], revision: revision + 1 };
    this.drafts.set(draftId, { userId: user.userId, draft: changed });
    return changed;
  }

  async submitDraft(user: SignedIn, draftId: string, { onInvalid }: DraftSubmission): Promise<SubmitOutcome> {
    const { account, fileName, profile } = await this.ownDraft(user, draftId);
    const submission = { account, fileName, profile, file: new Uint8Array(), files: [], onInvalid };
    return this.submit(user, { ...submission, idempotencyKey: null });
  }

  async writeCorridorTemplate(_user: SignedIn, { to, country }: CorridorTemplateQuery): Promise<string> {
    await this.meet('writeCorridorTemplate');
    return `row_ref,buy_currency,bank_country\r\nINV-1,${to},${country ?? ''}\r\n`;
  }

  /** As the application does, without its thread. */
  async proposeSheetReading(
    _user: SignedIn,
    { reading, file, profile, use }: SheetToRead,
  ): Promise<SheetReadingOutcome> {
    await this.meet('proposeSheetReading');
    const answer = await proposeReading(
      { file, profile, known: this.knownProfiles, wanted: reading, use },
      SHEET_LIMITS,
    ).catch((error: unknown) => {
      if (error instanceof UnreadableFile) return error;
      throw error;
    });
    if (!(answer instanceof UnreadableFile)) return { kind: 'proposed', proposal: answer.proposal };
    const sheetNames = answer instanceof ChoiceNeeded ? answer.sheetNames : [];
    return { kind: 'refused', problems: [answer.fileProblem], problemCount: 1, sheetNames };
  }

  async deleteDraft(user: SignedIn, draftId: string): Promise<void> {
    await this.ownDraft(user, draftId);
    this.drafts.delete(draftId);
  }

  private async ownDraft(user: SignedIn, draftId: string): Promise<Draft> {
    const draft = await this.findDraft(user, draftId);
    if (draft === null) throw new ApplicationError('not_found', 'there is no such draft');
    return draft;
  }

  async findSuspects(): Promise<SuspectedRows> {
    await this.meet('findSuspects');
    return this.suspects;
  }
}
