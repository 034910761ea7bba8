import type { Queryable } from '../database/database.ts';
import { encrypt } from '../personal-data/encryption.ts';
import { type PayeeData, type RunKey, runKeyOf } from '../personal-data/payee-data.ts';

/** A supporting file of a run as it was submitted. */
export interface StoredFile {
  name: string;
  contentType: string;
  sizeBytes: number;
  /** Of its content, hex. */
  sha256: string;
}

/** A supporting file as it is given. */
export interface NewFile {
  name: string;
  contentType: string;
  bytes: Uint8Array;
  sha256: string;
}

const FILE_COLUMNS = 'name, content_type as "contentType", size_bytes as "sizeBytes", sha256';

/** The files of a run, by name. */
export async function listFiles(database: Queryable, runId: string): Promise<StoredFile[]> {
  const { rows } = await database.query<StoredFile>(
    `select ${FILE_COLUMNS} from supporting_files where run_id = $1 order by name`,
    [runId],
  );
  return rows;
}

export async function addFile(
  transaction: Queryable,
  { runId, key }: Pick<RunKey, 'runId' | 'key'>,
  file: NewFile,
): Promise<void> {
  await transaction.query(
    `insert into supporting_files (run_id, name, content_type, size_bytes, sha256, encrypted) values ($1, $2, $3, $4, $5, $6)`,
    [
      ...[runId, file.name, file.contentType, file.bytes.byteLength, file.sha256],
      encrypt(key, placeOf(runId, file.name), file.bytes),
    ],
  );
}

/** A file with its bytes. Null: there is none of this name, or it is erased. */
export async function readFile(
  database: Queryable,
  payees: PayeeData,
  runId: string,
  name: string,
): Promise<(StoredFile & { bytes: Uint8Array }) | null> {
  const { rows } = await database.query<StoredFile & { encrypted: Buffer | null; runKey: string | null }>(
    `select ${FILE_COLUMNS}, encrypted, ${runKeyOf('supporting_files')} as "runKey"
     from supporting_files where run_id = $1 and name = $2`,
    [runId, name],
  );
  const [row] = rows;
  if (row === undefined || row.encrypted === null || row.runKey === null) return null;
  const { encrypted, runKey, ...file } = row;
  return { ...file, bytes: payees.decryptOfRun(runId, runKey, placeOf(runId, name), encrypted) };
}

function placeOf(runId: string, name: string): string {
  return `file ${runId} ${name}`;
}
