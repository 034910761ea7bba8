import type { Queryable } from '../database/database.ts';

export interface FileUpload {
  name: string;
  fileId: string;
  uploadUrl: string;
  ageMs: number;
  isUploaded: boolean;
  /** Made by the worker that sent it: it is the approved file. */
  mac: string | null;
}

export async function readUploads(database: Queryable, paymentId: string): Promise<FileUpload[]> {
  const { rows } = await database.query<{
    name: string;
    file_id: string;
    upload_url: string;
    age_ms: number;
    is_uploaded: boolean;
    mac: string | null;
  }>(
    `select name, file_id, upload_url, (extract(epoch from clock_timestamp() - requested_at) * 1000)::float8 as age_ms,
       uploaded_at is not null as is_uploaded, mac
     from file_uploads where payment_id = $1`,
    [paymentId],
  );
  return rows.map((row) => ({
    name: row.name,
    fileId: row.file_id,
    uploadUrl: row.upload_url,
    ageMs: row.age_ms,
    isUploaded: row.is_uploaded,
    mac: row.mac,
  }));
}

/** Replaces the address and the file id, unless the file was already uploaded. */
export async function saveUploadUrl(
  database: Queryable,
  upload: { paymentId: string; name: string; fileId: string; uploadUrl: string },
): Promise<void> {
  await database.query(
    `insert into file_uploads (payment_id, name, file_id, upload_url) values ($1, $2, $3, $4)
     on conflict (payment_id, name) do update set file_id = excluded.file_id, upload_url = excluded.upload_url,
       requested_at = clock_timestamp()
     where file_uploads.uploaded_at is null`,
    [upload.paymentId, upload.name, upload.fileId, upload.uploadUrl],
  );
}

/** False when the file has another address by now and must be uploaded there. */
export async function markUploaded(
  database: Queryable,
  paymentId: string,
  { fileId, mac }: { fileId: string; mac: string },
): Promise<boolean> {
  const { rowCount } = await database.query(
    `with uploaded as (
       update file_uploads set uploaded_at = clock_timestamp(), mac = $3
       where payment_id = $1 and file_id = $2 returning payment_id
     )
     insert into audit_entries (actor, kind, run_id, payment_id, detail)
     select 'worker', 'file_uploaded', run_id, payment_id, jsonb_build_object('file', $2::text)
     from uploaded join payments using (payment_id)`,
    [paymentId, fileId, mac],
  );
  return rowCount === 1;
}

export interface SupportingFile {
  name: string;
  contentType: string;
  sizeBytes: number;
}

export async function readFileDetails(
  database: Queryable,
  runId: string,
  name: string,
): Promise<SupportingFile | null> {
  const { rows } = await database.query<{ name: string; content_type: string; size_bytes: number }>(
    'select name, content_type, size_bytes from supporting_files where run_id = $1 and name = $2',
    [runId, name],
  );
  const row = rows[0];
  return row === undefined ? null : { name: row.name, contentType: row.content_type, sizeBytes: row.size_bytes };
}

/** For an address that the storage refuses. */
export async function forgetUploadUrl(database: Queryable, paymentId: string, fileId: string): Promise<void> {
  await database.query('delete from file_uploads where payment_id = $1 and file_id = $2 and uploaded_at is null', [
    paymentId,
    fileId,
  ]);
}

/** For an upload that is not to be used. */
export async function forgetUpload(database: Queryable, paymentId: string, fileId: string): Promise<void> {
  await database.query('delete from file_uploads where payment_id = $1 and file_id = $2', [paymentId, fileId]);
}
