import { connect, createServer as createPlainServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createSecureServer, TLSSocket, createSecureContext } from 'node:tls';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { openDatabase } from '../../store/database/database.ts';
import { migrate } from '../../store/database/migrate.ts';
import { temporalClientWithoutRetries, workerConnection } from '../../config/temporal/connect-temporal.ts';
import { readEnvironment, type Variables } from '../../config/environment.ts';
import { readTemporalSettings } from '../../config/temporal/temporal-settings.ts';
import { aTestAuthority, type TestAuthority } from '../helpers/certificates.ts';
import { createTestDatabase } from '../helpers/test-database.ts';
import { temporaryFolder } from '../local/temporary-folder.ts';

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  return (server.address() as AddressInfo).port;
}

function joined(one: Socket, other: Socket): void {
  one.pipe(other).pipe(one);
  for (const socket of [one, other]) {
    socket.on('error', () => [one, other].forEach((each) => each.destroy()));
    onTestFinished(() => {
      socket.destroy();
    });
  }
}

/** A Postgres with TLS: it answers the question for TLS with yes, and passes what it then reads to the real one. */
async function postgresOverTls({ server }: TestAuthority, url: string): Promise<string> {
  const { port, hostname } = new URL(url);
  const secureContext = createSecureContext(server);
  const listener = createPlainServer((socket) => {
    socket.once('data', () => {
      socket.write('S');
      joined(new TLSSocket(socket, { isServer: true, secureContext }), connect(Number(port), hostname));
    });
    socket.on('error', () => socket.destroy());
  });
  return Object.assign(new URL(url), { port: String(await listening(listener)) }).href;
}

async function temporalOverTls({ server }: TestAuthority): Promise<string> {
  const [host = '', port] = inject('temporalAddress').split(':');
  const listener = createSecureServer({ ...server, ALPNProtocols: ['h2'] }, (socket) => {
    joined(socket, connect(Number(port), host));
  });
  listener.on('tlsClientError', () => undefined);
  return `127.0.0.1:${await listening(listener)}`;
}

async function askPostgres(variables: Variables): Promise<unknown> {
  const { DATABASE_URL = '' } = readEnvironment(variables);
  const database = openDatabase(DATABASE_URL, {
    role: 'payrun_worker',
    maxConnections: 1,
    applicationName: 'payrun-test',
  });
  try {
    return (await database.query('select 1 as one')).rows[0];
  } finally {
    await database.end();
  }
}

test.each(['require', 'verify-ca', 'verify-full'])(
  'Postgres with sslmode=%s is trusted by DATABASE_CA_FILE alone',
  async (mode) => {
    const warned = vi.spyOn(process, 'emitWarning');
    onTestFinished(() => warned.mockRestore());
    const [own, other] = [aTestAuthority(), aTestAuthority()];
    const testDatabase = await createTestDatabase();
    onTestFinished(() => testDatabase.drop());
    const DATABASE_URL = `${await postgresOverTls(own, testDatabase.workerUrl)}?sslmode=${mode}`;
    expect(await askPostgres({ DATABASE_URL, DATABASE_CA_FILE: own.path })).toEqual({ one: 1 });
    await expect(askPostgres({ DATABASE_URL, DATABASE_CA_FILE: other.path })).rejects.toThrow(/certificate/);
    await expect(askPostgres({ DATABASE_URL })).rejects.toThrow(/certificate/);
    expect(warned).not.toHaveBeenCalled();
  },
);

test('migrations trust the same authority', async () => {
  const [own, other] = [aTestAuthority(), aTestAuthority()];
  const testDatabase = await createTestDatabase();
  onTestFinished(() => testDatabase.drop());
  const PAYRUN_OWNER_DATABASE_URL = await postgresOverTls(own, testDatabase.url);
  const ownerUrl = (authority: TestAuthority): string =>
    readEnvironment({ PAYRUN_OWNER_DATABASE_URL, DATABASE_CA_FILE: authority.path }).PAYRUN_OWNER_DATABASE_URL ?? '';
  expect(await migrate(ownerUrl(own))).toEqual([]);
  await expect(migrate(ownerUrl(other))).rejects.toThrow(/certificate/);
});

const settingsOf = (variables: Variables) => readTemporalSettings(readEnvironment(variables), temporaryFolder());

async function askTemporal(variables: Variables, withinMs: number): Promise<unknown> {
  const { connection } = temporalClientWithoutRetries(settingsOf(variables));
  try {
    return await connection.withDeadline(Date.now() + withinMs, () => connection.workflowService.getSystemInfo({}));
  } finally {
    await connection.close();
  }
}

test('Temporal is trusted by TEMPORAL_TLS_CA alone, by clients and by workers', async () => {
  const [own, other] = [aTestAuthority(), aTestAuthority()];
  const TEMPORAL_ADDRESS = await temporalOverTls(own);
  const right = { TEMPORAL_ADDRESS, TEMPORAL_TLS_CA: own.path };
  expect(await askTemporal(right, 10_000)).toHaveProperty('serverVersion');
  const worker = await workerConnection(settingsOf(right));
  await worker.close();
  for (const wrong of [{ TEMPORAL_TLS_CA: other.path }, { TEMPORAL_TLS: 'true' }, {}]) {
    await expect(askTemporal({ TEMPORAL_ADDRESS, ...wrong }, 2_000)).rejects.toThrow();
  }
  await expect(workerConnection(settingsOf({ TEMPORAL_ADDRESS, TEMPORAL_TLS_CA: other.path }))).rejects.toThrow();
});

test("Temporal's certificate must be for the name or the address that TEMPORAL_ADDRESS has", async () => {
  for (const [names, fitting, others] of [
    ['DNS:localhost', 'localhost', '127.0.0.1'],
    ['IP:127.0.0.1,DNS:elsewhere.example,DNS:temporal.invalid', '127.0.0.1', 'localhost'],
    ['DNS:temporal.invalid', null, '127.0.0.1'],
  ] as const) {
    const authority = aTestAuthority(names);
    const [, port = ''] = (await temporalOverTls(authority)).split(':');
    const by = (host: string) => ({ TEMPORAL_ADDRESS: `${host}:${port}`, TEMPORAL_TLS_CA: authority.path });
    if (fitting !== null) expect(await askTemporal(by(fitting), 10_000)).toHaveProperty('serverVersion');
    await expect(askTemporal(by(others), 3_000)).rejects.toThrow(/altnames|not in the cert|not match/i);
  }
});
