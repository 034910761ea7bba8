import type { Queryable } from '../database/database.ts';
import type { CaseDocument } from './case-documents.ts';

export interface CaseRevision {
  revision: number;
  /** The applicant as supplied with it. Null: erased. */
  encrypted: Buffer | null;
  suppliedAt: Date;
}

/** Everything that was ever supplied, the first one first. */
export async function listRevisions(database: Queryable, caseId: string): Promise<CaseRevision[]> {
  const { rows } = await database.query<CaseRevision>(
    'select revision, encrypted, supplied_at as "suppliedAt" from case_revisions where case_id = $1 order by revision',
    [caseId],
  );
  return rows;
}

export interface FormerDocument
  extends Pick<
    CaseDocument,
    | 'slot'
    | 'revision'
    | 'documentType'
    | 'contentType'
    | 'sizeBytes'
    | 'sha256'
    | 'isAnnounced'
    | 'isUploaded'
    | 'isVerified'
  > {
  /** Null: erased. */
  encryptedName: Buffer | null;
}

/** Files that a later one of the same slot has replaced. */
export async function listFormerDocuments(database: Queryable, caseId: string): Promise<FormerDocument[]> {
  const { rows } = await database.query<FormerDocument>(
    `select slot, revision, document_type as "documentType", content_type as "contentType", size_bytes as "sizeBytes", sha256,
       document_id is not null as "isAnnounced", uploaded_at is not null as "isUploaded",
       verified_at is not null as "isVerified", encrypted_name as "encryptedName"
     from case_documents former where case_id = $1 and exists (
       select from case_documents later where later.case_id = former.case_id and later.slot = former.slot
         and later.revision > former.revision)
     order by slot, revision`,
    [caseId],
  );
  return rows;
}

/** Of files by their SHA-256 in hex: the reference of the first case of the account that has the file. */
export async function listCasesOfFiles(
  database: Queryable,
  account: string,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (hashes.length === 0) return new Map();
  const { rows } = await database.query<{ sha256: string; ref: string }>(
    `select distinct on (sha256) sha256, applicant_ref as ref from case_documents join cases using (case_id)
     where account = $1 and sha256 = any($2) order by sha256, submitted_at, case_id`,
    [account, hashes],
  );
  return new Map(rows.map(({ sha256, ref }) => [sha256, ref]));
}
