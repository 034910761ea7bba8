import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine } from '../client/engine/engine-api.ts';
import { writeWhole } from '../config/whole-file.ts';

const ADMINISTRATOR = 'administrator';

/**
 * An administrator's token in the data folder, readable by its owner alone: how the first person gets in, and how the
 * command line on the same machine does. One that no longer works is replaced.
 */
export async function adminToken(home: string, engine: Engine): Promise<string> {
  const path = tokenFile(home);
  const kept = readToken(path);
  if (kept !== null && (await engine.authenticate(kept)) !== null) return kept;
  const { token } = await engine.issueToken(
    { userId: 'installation', role: ADMINISTRATOR },
    { name: ADMINISTRATOR, role: ADMINISTRATOR, label: 'data folder', validDays: null },
  );
  mkdirSync(home, { recursive: true });
  writeWhole(path, `${token}\n`);
  return token;
}

function readToken(path: string): string | null {
  try {
    const text = readFileSync(path, 'utf8').trim();
    return text === '' ? null : text;
  } catch {
    return null;
  }
}

const tokenFile = (home: string): string => join(home, 'admin-token');

/** The token that the server of this data folder has left there. */
export function adminTokenIn(home: string): string {
  const token = readToken(tokenFile(home));
  if (token === null) throw new Error(`there is no administrator's token in ${home}`);
  return token;
}
