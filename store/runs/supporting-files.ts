import type { Queryable } from '../database/database.ts';

/** A supporting file of a run as it was submitted. */
export interface StoredFile {
  name: string;
  contentType: string;
  sizeBytes: number;
  /** Of its content, hex. */
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

export async function findFile(
  database: Queryable,
  runId: string,
  name: string,
): Promise<(StoredFile & { bytes: Uint8Array }) | null> {
  const { rows } = await database.query<StoredFile & { bytes: Buffer }>(
    `select ${FILE_COLUMNS}, content as bytes from supporting_files where run_id = $1 and name = $2`,
    [runId, name],
  );
  return rows[0] ?? null;
}
