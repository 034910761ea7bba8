import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { type AuditPiece, auditPieceSchema, ExportVerification, rangeOf } from '../../domain/audit/audit-export.ts';
import { chainAudit } from '../../store/audit/audit-chaining.ts';
import { exportAudit } from '../../store/audit/audit-exports.ts';
import { verifyAudit } from '../../store/audit/audit-verification.ts';
import { deliver, startAuditExport } from '../../workers/audit-export.ts';
import { emptyTables } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { until } from '../helpers/until.ts';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
beforeEach(() => emptyTables(testDatabase, 'audit_entries', 'audit_chain', 'audit_exports'));
afterAll(() => testDatabase.drop());

async function add(entries: number): Promise<void> {
  await testDatabase.database.query(
    `insert into audit_entries (actor, kind, detail)
     select 'worker', 'entry', jsonb_build_object('n', n, 'text', 'ü "quoted"') from generate_series(1, $1::int) as n`,
    [entries],
  );
  await chainAudit(testDatabase.database);
}

/** As a worker; pieces of three entries. */
const exportTo = (taken: AuditPiece[], name = '/exports') =>
  exportAudit(testDatabase.asWorker, name, (piece) => Promise.resolve(void taken.push(piece)), 3);
const ranges = (pieces: AuditPiece[]) => pieces.map(rangeOf).map(({ from, to }) => [from, to]);

function headOf(pieces: readonly AuditPiece[]): ExportVerification['head'] {
  const verification = new ExportVerification();
  for (const [index, piece] of pieces.entries()) expect(verification.add(`piece ${index}`, piece)).toBeNull();
  return verification.head;
}

test('an export has every chained entry, and the hash that the database has', async () => {
  const taken: AuditPiece[] = [];
  await add(7);
  expect(await exportTo(taken)).toBe(7);
  expect(await exportTo(taken)).toBe(0);
  await add(2);
  expect(await exportTo(taken)).toBe(2);
  expect(ranges(taken)).toEqual([
    [1, 3],
    [4, 6],
    [7, 7],
    [8, 9],
  ]);
  expect(headOf(taken)).toEqual((await verifyAudit(testDatabase.database, null)).head);
});

test('what was not taken is exported again, and each destination has all of it', async () => {
  const taken: AuditPiece[] = [];
  await add(5);
  const broken = (piece: AuditPiece) => {
    taken.push(piece);
    return taken.length === 2 ? Promise.reject(new Error('lost')) : Promise.resolve();
  };
  await expect(exportAudit(testDatabase.asWorker, '/exports', broken, 3)).rejects.toThrow('lost');
  await exportTo(taken);
  expect(ranges(taken)).toEqual([
    [1, 3],
    [4, 5],
    [4, 5],
  ]);
  expect(headOf(taken)?.position).toBe(5);
  expect(await exportTo([], '/elsewhere')).toBe(5);
});

test('a worker sets no position ahead, but says what was taken, piece after piece', async () => {
  const { asWorker, database } = testDatabase;
  await add(5);
  for (const statement of [
    `insert into audit_exports (destination, position) values ('/exports', 5)`,
    'update audit_exports set position = 5',
  ]) {
    await expect(asWorker.query(statement)).rejects.toThrow('permission denied');
  }
  const { rows: links } = await database.query<{ hash: Buffer }>('select hash from audit_chain order by position');
  const say = (after: number, position: number, hash = links[position - 1]?.hash) =>
    asWorker.query('select note_export($1, $2, $3, $4)', ['/exports', after, position, hash]);
  const wrong = { code: '23514' };
  await expect(say(2, 5)).rejects.toMatchObject(wrong);
  await expect(say(0, 5, Buffer.alloc(32))).rejects.toMatchObject(wrong);
  await expect(say(0, 6, links[4]?.hash)).rejects.toMatchObject(wrong);
  await say(0, 2);
  await expect(say(0, 4)).rejects.toMatchObject(wrong);
  await expect(say(3, 4)).rejects.toMatchObject(wrong);
  await say(2, 5);
  expect(await exportTo([])).toBe(0);
});

test('how far an export is behind is known by its last hash', async () => {
  const taken: AuditPiece[] = [];
  await add(3);
  await exportTo(taken);
  const head = headOf(taken);
  expect(await verifyAudit(testDatabase.database, head)).toMatchObject({ afterNotedSince: null });
  await add(2);
  const found = await verifyAudit(testDatabase.database, head);
  expect(found.afterNotedSince).toBeInstanceOf(Date);
});

test('two workers do not export at the same time', async () => {
  await add(2);
  const taken: AuditPiece[] = [];
  const first = exportAudit(testDatabase.asWorker, '/exports', async (piece) => {
    expect(await exportTo(taken)).toBe(0);
    taken.push(piece);
  });
  expect(await first).toBe(2);
  expect(taken).toHaveLength(1);
});

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'payrun-export-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const piecesIn = async (folder: string) =>
  Promise.all(
    // One that is being written has another name until it is whole.
    (await readdir(folder))
      .filter((name) => !name.includes('.partial-'))
      .sort()
      .map(async (name) => {
        expect(name).toMatch(/^audit-\d{12}-\d{12}-[0-9a-f]{16}\.json$/);
        return auditPieceSchema.parse(JSON.parse(await readFile(join(folder, name), 'utf8')));
      }),
  );

test('a worker exports to a folder as long as it runs', async () => {
  const folder = await aFolder();
  await add(3);
  const warnings: string[] = [];
  const running = startAuditExport({
    ...{ database: testDatabase.asWorker, destination: { folder: join(folder, 'audit') } },
    ...{ warn: (message) => warnings.push(message), everyMs: 20 },
  });
  onTestFinished(() => running.stop());
  await until(async () => (await readdir(folder)).length === 1 && (await piecesIn(join(folder, 'audit'))).length === 1);
  await add(1);
  await until(async () => (await piecesIn(join(folder, 'audit'))).length === 2);
  expect(headOf(await piecesIn(join(folder, 'audit')))?.position).toBe(4);
  expect(warnings).toEqual([]);
});

test('a piece of another trail replaces none of the same range', async () => {
  const folder = await aFolder();
  const taken: AuditPiece[] = [];
  await add(2);
  await exportTo(taken);
  await emptyTables(testDatabase, 'audit_entries', 'audit_chain', 'audit_exports');
  await add(2);
  await exportTo(taken);
  for (const piece of [...taken, ...taken]) await deliver({ folder }, piece);
  expect(ranges(await piecesIn(folder))).toEqual([
    [1, 2],
    [1, 2],
  ]);
});

test('a folder that cannot be written to is warned of once, and nothing is left out', async () => {
  const folder = await aFolder();
  await writeFile(join(folder, 'taken'), '');
  await add(1);
  const warnings: string[] = [];
  const running = startAuditExport({
    ...{ database: testDatabase.asWorker, destination: { folder: join(folder, 'taken') } },
    ...{ warn: (message) => warnings.push(message), everyMs: 10 },
  });
  await until(() => Promise.resolve(warnings.length > 0));
  await running.stop();
  expect(warnings).toEqual([expect.stringContaining('the audit trail cannot be exported')]);
  expect(await exportTo([], join(folder, 'taken'))).toBe(1);
});

test('an endpoint gets each piece with the token, until it has taken it', async () => {
  const received: { key: string; token: string; body: unknown }[] = [];
  const statuses = [503, 201];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece: Buffer) => (body += piece.toString()));
    request.on('end', () => {
      const { 'idempotency-key': key, authorization: token = '' } = request.headers;
      received.push({ key: String(key), token, body: JSON.parse(body) });
      response.writeHead(statuses.shift() ?? 201).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  await add(1);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/audit`;
  const destination = { url, token: 'secret-of-the-archive' };
  const exported = () => exportAudit(testDatabase.asWorker, url, (piece) => deliver(destination, piece));
  await expect(exported()).rejects.toThrow('the endpoint answered 503');
  expect(await exported()).toBe(1);
  expect(received).toHaveLength(2);
  expect(received[0]).toEqual(received[1]);
  expect(received[0]).toMatchObject({ token: 'Bearer secret-of-the-archive', body: { format: 'payrun-audit-1' } });
});
