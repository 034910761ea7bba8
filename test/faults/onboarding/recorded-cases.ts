import type { Client } from '@temporalio/client';
import type { CaseState } from '../../../domain/onboarding/case-state.ts';
import { onboardingWorkflowId } from '../../../domain/identifiers.ts';
import type { Database } from '../../../store/database/database.ts';

/** A case in Postgres. */
export interface RecordedCase {
  caseId: string;
  applicantRef: string;
  state: CaseState;
  stateReason: string | null;
  userId: string | null;
  providerStatus: string | null;
  revision: number;
  missing: string[];
  hasEnded: boolean;
  /** Sign-ups in the database, and those of them that may have had an effect. */
  signUps: number;
  effectiveSignUps: number;
  /** Sign-ups without a known outcome. */
  openSignUps: number;
  /** Proposals of people that nobody closed. */
  openManualOutcomes: number;
  /** Of each slot the file that was supplied last. */
  documents: RecordedDocument[];
}

export interface RecordedDocument {
  slot: string;
  revision: number;
  documentId: string | null;
  sha256: string;
  isVerified: boolean;
}

const EFFECTIVE = `outcome is distinct from 'not_sent'`;

/** The cases of applicants whose reference begins with this text. */
export async function recordedCases(database: Database, prefix: string): Promise<RecordedCase[]> {
  const countOf = (condition: string): string =>
    `(select count(*)::int from case_requests where case_id = c.case_id and ${condition})`;
  const { rows } = await database.query<RecordedCase>(
    `select case_id as "caseId", applicant_ref as "applicantRef", state, state_reason as "stateReason", user_id as "userId",
       provider_status as "providerStatus", revision, missing, ended_at is not null as "hasEnded",
       ${countOf(`operation = 'sign_up'`)} as "signUps", ${countOf(`operation = 'sign_up' and ${EFFECTIVE}`)} as "effectiveSignUps",
       ${countOf(`operation = 'sign_up' and outcome is null`)} as "openSignUps",
       (select count(*)::int from case_manual_outcomes where case_id = c.case_id and state = 'proposed') as "openManualOutcomes",
       coalesce((select jsonb_agg(document order by document ->> 'slot') from (
         select distinct on (slot) jsonb_build_object('slot', slot, 'revision', revision, 'documentId', document_id,
           'sha256', sha256, 'isVerified', verified_at is not null) as document
         from case_documents where case_id = c.case_id order by slot, revision desc) latest), '[]') as documents
     from cases c where starts_with(applicant_ref, $1) order by applicant_ref`,
    [prefix],
  );
  return rows;
}

/** How the workflow of a case stands. */
export interface CaseWorkflow {
  status: string;
  /** The result of one that has ended. */
  state: string | null;
}

export async function workflowOfCase(temporal: Client, caseId: string): Promise<CaseWorkflow> {
  const handle = temporal.workflow.getHandle(onboardingWorkflowId(caseId));
  try {
    const { status } = await handle.describe();
    if (status.name !== 'COMPLETED') return { status: status.name, state: null };
    return { status: status.name, state: ((await handle.result()) as { state?: string }).state ?? null };
  } catch (error) {
    if (error instanceof Error && error.name === 'WorkflowNotFoundError') return { status: 'NOT_FOUND', state: null };
    throw error;
  }
}
