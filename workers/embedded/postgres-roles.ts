import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { APP_ROLE, ensureAppRole } from '../../store/app-role.ts';
import { writeWhole } from './whole-file.ts';

/** The role that payrun logs in as. It owns nothing, and has the rights of the runtime's role alone. */
export const RUNTIME_ROLE = 'payrun_runtime';

/**
 * Makes the runtime's role if there is none, and answers its password: random, kept in `<dataDir>/postgres-app-password`,
 * readable by its owner alone. A password that was lost is replaced, since the role holds no data.
 */
export async function ensureRuntimeRole(ownerUrl: string, dataDir: string): Promise<string> {
  const passwordFile = join(dataDir, 'postgres-app-password');
  if (!existsSync(passwordFile)) writeWhole(passwordFile, `${randomBytes(24).toString('hex')}\n`);
  const password = readFileSync(passwordFile, 'utf8').trim();
  const client = new Client({ connectionString: ownerUrl });
  // A server that ends meanwhile fails the query below; unheard, the event would end this process as well.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await ensureAppRole(client);
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [RUNTIME_ROLE]);
    if (rowCount === 0) await client.query(`create role ${RUNTIME_ROLE} in role ${APP_ROLE}`);
    await client.query(`alter role ${RUNTIME_ROLE} login password ${client.escapeLiteral(password)}`);
    return password;
  } finally {
    await client.end();
  }
}
