import type { Queryable } from '../database/database.ts';
import type { CaseRecord } from './cases.ts';

/** The file of a slot that counts: the one that was supplied last. */
export interface CaseDocument {
  slot: string;
  revision: number;
  documentType: string;
  contentType: string;
  sizeBytes: number;
  sha256: string;
  /** The provider's id, also of an earlier file of the slot, which this one replaces. */
  documentId: string | null;
  /** Announced with this file's name. */
  isAnnounced: boolean;
  /** Encrypted. */
  uploadUrl: Buffer | null;
  uploadUrlAgeMs: number | null;
  /** Encrypted. */
  downloadUrl: Buffer | null;
  downloadUrlAgeMs: number | null;
  uploads: number;
  isUploaded: boolean;
  uploadedAgeMs: number | null;
  isVerified: boolean;
}

const DOCUMENTS = `
  select distinct on (slot) slot, revision, document_type as "documentType", content_type as "contentType",
    size_bytes as "sizeBytes", sha256,
    coalesce(document_id, (select earlier.document_id from case_documents earlier where earlier.case_id = documents.case_id
      and earlier.slot = documents.slot and earlier.document_id is not null order by earlier.revision desc limit 1)) as "documentId",
    document_id is not null as "isAnnounced", upload_url as "uploadUrl", uploads,
    (extract(epoch from clock_timestamp() - upload_url_at) * 1000)::float8 as "uploadUrlAgeMs", download_url as "downloadUrl",
    (extract(epoch from clock_timestamp() - download_url_at) * 1000)::float8 as "downloadUrlAgeMs",
    uploaded_at is not null as "isUploaded",
    (extract(epoch from clock_timestamp() - uploaded_at) * 1000)::float8 as "uploadedAgeMs", verified_at is not null as "isVerified"
  from case_documents documents`;

export async function listDocuments(database: Queryable, caseId: string): Promise<CaseDocument[]> {
  const { rows } = await database.query<CaseDocument>(`${DOCUMENTS} where case_id = $1 order by slot, revision desc`, [
    caseId,
  ]);
  return rows;
}

/** Throws if the case has no such document. */
export async function readDocument(database: Queryable, caseId: string, slot: string): Promise<CaseDocument> {
  const { rows } = await database.query<CaseDocument>(
    `${DOCUMENTS} where case_id = $1 and slot = $2 order by slot, revision desc`,
    [caseId, slot],
  );
  const [document] = rows;
  if (document === undefined) throw new Error(`case ${caseId} has no document ${slot}`);
  return document;
}

/**
 * The provider's id of the document that an earlier case of the same user had in the slot. Null: none is known. The earlier
 * case has ended, since a user has one open case.
 */
export async function findDocumentOfEarlierCase(
  database: Queryable,
  { caseId, account, userId, isAdopted }: Pick<CaseRecord, 'caseId' | 'account' | 'userId' | 'isAdopted'>,
  slot: string,
): Promise<string | null> {
  if (!isAdopted || userId === null) return null;
  const { rows } = await database.query<{ documentId: string }>(
    `select document_id as "documentId" from case_documents join cases using (case_id)
     where account = $1 and user_id = $2 and case_id <> $3 and slot = $4 and document_id is not null
     order by submitted_at desc, case_documents.revision desc limit 1`,
    [account, userId, caseId, slot],
  );
  return rows[0]?.documentId ?? null;
}

/** Null: erased. */
export async function readEncryptedFile(
  database: Queryable,
  caseId: string,
  { slot, revision }: { slot: string; revision: number },
): Promise<{ name: Buffer | null; file: Buffer } | null> {
  const { rows } = await database.query<{ name: Buffer | null; file: Buffer | null }>(
    'select encrypted_name as name, encrypted_file as file from case_documents where case_id = $1 and slot = $2 and revision = $3',
    [caseId, slot, revision],
  );
  const [row] = rows;
  return row === undefined || row.file === null ? null : { name: row.name, file: row.file };
}

type Place = Pick<CaseDocument, 'slot' | 'revision'>;

/** The provider has the document, and gave an address to upload its file to. */
export async function saveAnnounced(
  database: Queryable,
  caseId: string,
  { slot, revision }: Place,
  announced: { documentId: string; uploadUrl: Buffer | null },
): Promise<void> {
  await database.query(
    `update case_documents set document_id = $4, upload_url = $5,
       upload_url_at = case when $5::bytea is not null then clock_timestamp() end
     where case_id = $1 and slot = $2 and revision = $3 and verified_at is null`,
    [caseId, slot, revision, announced.documentId, announced.uploadUrl],
  );
}

export async function saveDownloadUrl(
  database: Queryable,
  caseId: string,
  { slot, revision }: Place,
  downloadUrl: Buffer,
): Promise<void> {
  await database.query(
    `update case_documents set download_url = $4, download_url_at = clock_timestamp()
     where case_id = $1 and slot = $2 and revision = $3 and verified_at is null and encrypted_file is not null`,
    [caseId, slot, revision, downloadUrl],
  );
}

/** The file was uploaded: it is to be verified. */
export async function markUploaded(database: Queryable, caseId: string, { slot, revision }: Place): Promise<void> {
  await database.query(
    `update case_documents set uploaded_at = clock_timestamp(), upload_url = null, uploads = uploads + 1
     where case_id = $1 and slot = $2 and revision = $3`,
    [caseId, slot, revision],
  );
}

/** The address did not work, or the provider shows another file: the file is uploaded again, to another address. */
export async function forgetUpload(database: Queryable, caseId: string, { slot, revision }: Place): Promise<void> {
  await database.query(
    `update case_documents set uploaded_at = null, upload_url = null, upload_url_at = null, download_url = null
     where case_id = $1 and slot = $2 and revision = $3 and verified_at is null`,
    [caseId, slot, revision],
  );
}

/** The provider's file is the submitted one, byte for byte. */
export async function markVerified(database: Queryable, caseId: string, { slot, revision }: Place): Promise<void> {
  await database.query(
    `with verified as (
       update case_documents set verified_at = clock_timestamp(), download_url = null
       where case_id = $1 and slot = $2 and revision = $3 and verified_at is null
       returning case_id, document_id, sha256
     )
     insert into audit_entries (actor, kind, detail)
     select 'worker', 'case_document_verified', jsonb_build_object('case', case_id, 'slot', $2::text, 'revision', $3::integer,
       'documentId', document_id, 'sha256', sha256)
     from verified`,
    [caseId, slot, revision],
  );
}
