import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { ensureRuntimeRoles } from '../../store/database/database-roles.ts';
import type { RuntimeRole } from '../../store/database/runtime-role.ts';
import { writeWhole } from '../../config/whole-file.ts';

/** A login of the server or the worker. It owns nothing, and has only the rights of its role. */
export interface RuntimeLogin {
  name: string;
  password: string;
}

/**
 * Creates the logins that do not exist, each with a random password, kept in `<dataDir>/postgres-<login>-password` and
 * readable only by its owner. A lost password is replaced, because the login owns no data.
 */
export async function ensureRuntimeLogins(
  ownerUrl: string,
  dataDir: string,
): Promise<{ server: RuntimeLogin; worker: RuntimeLogin }> {
  const client = new Client({ connectionString: ownerUrl });
  // If the server ends, the query fails; without a listener the event would end this process too.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await ensureRuntimeRoles(client);
    return {
      server: await ensureLogin(client, dataDir, 'payrun_server'),
      worker: await ensureLogin(client, dataDir, 'payrun_worker'),
    };
  } finally {
    await client.end();
  }
}

async function ensureLogin(client: Client, dataDir: string, role: RuntimeRole): Promise<RuntimeLogin> {
  const name = `${role}_login`;
  const passwordFile = join(dataDir, `postgres-${name.replaceAll('_', '-')}-password`);
  if (!existsSync(passwordFile)) writeWhole(passwordFile, `${randomBytes(24).toString('hex')}\n`);
  const password = readFileSync(passwordFile, 'utf8').trim();
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [name]);
  if (rowCount === 0) await client.query(`create role ${name} in role ${role}`);
  await client.query(`alter role ${name} login password ${client.escapeLiteral(password)}`);
  return { name, password };
}
