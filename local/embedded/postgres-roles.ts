import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { ensureRuntimeRoles, type RuntimeRole } from '../../store/database/database-roles.ts';
import { writeWhole } from '../../config/whole-file.ts';

/** What the server and the worker log in as. They own nothing, and have the rights of their role alone. */
export interface RuntimeLogin {
  name: string;
  password: string;
}

/**
 * Makes the login of a role if there is none, with a random password, kept in `<dataDir>/postgres-<login>-password` and
 * readable by its owner alone. A password that was lost is replaced, since the login holds no data.
 */
export async function ensureRuntimeLogins(
  ownerUrl: string,
  dataDir: string,
): Promise<{ server: RuntimeLogin; worker: RuntimeLogin }> {
  const client = new Client({ connectionString: ownerUrl });
  // A server that ends meanwhile fails the query below; unheard, the event would end this process as well.
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
