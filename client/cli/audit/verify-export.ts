import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  type AuditPiece,
  auditPieceSchema,
  type ExportBreak,
  ExportVerification,
} from '../../../domain/audit/audit-export.ts';
import { PayrunApiError, PayrunUnreachableError } from '../../sdk/errors.ts';
import type { AuditReport } from '../../sdk/index.ts';
import type { CommandIo } from '../command-io.ts';
import { connect } from '../connection.ts';
import { WrongInput } from '../exit-code.ts';
import { printable } from '../printable.ts';
import { counted, exactMoment } from '../wording.ts';

/** What an export of the audit trail is, and whether the database still has the same trail. */
export interface ExportReport {
  pieces: number;
  /** The first position; null: there is no piece. */
  first: number | null;
  head: { position: number; hash: string } | null;
  broken: ExportBreak | null;
  /** Null: it could not be compared with the database. */
  database: AuditReport | null;
  /** Why not. */
  notCompared: string | null;
}

/**
 * Verifies the pieces in a folder, whatever they are named, by themselves, and then that the database has their last hash.
 * @throws WrongInput when a file cannot be read, or is no piece
 */
export async function verifyExport(io: CommandIo, folder: string): Promise<ExportReport> {
  const path = resolve(io.cwd, folder);
  const names = await piecesIn(path, folder);
  const verification = new ExportVerification();
  let broken: ExportBreak | null = null;
  for (const { name } of names) {
    broken = verification.add(name, await readPiece(path, name));
    if (broken !== null) break;
  }
  const { first, head } = verification;
  const found = { pieces: names.length, first, head, broken };
  if (broken !== null || head === null) return { ...found, database: null, notCompared: null };
  return { ...found, ...(await compared(io, head)) };
}

/** The lowest positions first, and of those that begin alike the shortest. */
async function piecesIn(path: string, folder: string): Promise<{ name: string; from: number; count: number }[]> {
  const entries = await readdir(path, { recursive: true }).catch((error: unknown) => {
    throw new WrongInput(
      `${printable(folder)} cannot be read: ${error instanceof Error ? error.message : 'unknown error'}`,
    );
  });
  const found = [];
  for (const name of entries.filter((entry) => entry.endsWith('.json'))) {
    const { entries: inPiece } = await readPiece(path, name);
    found.push({ name, from: inPiece[0]?.position ?? 0, count: inPiece.length });
  }
  return found.sort((a, b) => a.from - b.from || a.count - b.count);
}

async function readPiece(path: string, name: string): Promise<AuditPiece> {
  const text = await readFile(join(path, name), 'utf8').catch(() => '');
  try {
    return auditPieceSchema.parse(JSON.parse(text));
  } catch {
    throw new WrongInput(`${printable(name)} is no piece of an exported audit trail`);
  }
}

async function compared(
  io: CommandIo,
  { position, hash }: { position: number; hash: string },
): Promise<Pick<ExportReport, 'database' | 'notCompared'>> {
  try {
    const database = await (await connect(io)).verifyAudit({ head: `${position}:${hash}` });
    return { database, notCompared: null };
  } catch (error) {
    const isExpected =
      error instanceof PayrunUnreachableError || error instanceof PayrunApiError || error instanceof WrongInput;
    if (!isExpected) throw error;
    return { database: null, notCompared: error.message };
  }
}

const PROBLEMS: Readonly<Record<ExportBreak['problem'], string>> = {
  hash_differs: 'the entry was altered after it was exported',
  out_of_order: 'an entry is missing, or not in its place',
  entries_missing: 'the pieces with the entries from there on are missing',
  pieces_differ: 'the trail was written again: this piece does not follow from those before',
};

export function describeExportBreak({ piece, position, problem }: ExportBreak): string {
  return printable(`${piece}, position ${position}: ${PROBLEMS[problem]}`);
}

function behind(exported: number, { head, afterNotedSince }: AuditReport): string[] {
  if (head === null || afterNotedSince === null) return [];
  const entries = counted(head.position - exported, 'entry', 'entries');
  return [`It is behind: ${entries} of the database are not in it, since ${exactMoment(afterNotedSince)} UTC.`];
}

export function renderExport({ pieces, first, head, broken, database, notCompared }: ExportReport): string {
  if (broken !== null) return `BROKEN at ${describeExportBreak(broken)}`;
  if (head === null || first === null) return 'There is no piece of an audit trail in this folder.';
  return [
    `The export is unbroken: ${counted(pieces, 'piece')}, positions ${first} to ${head.position}.`,
    ...(first === 1 ? [] : [`It begins at position ${first}: what was before is not in this folder.`]),
    ...(database === null ? [] : behind(head.position, database)),
    ...(notCompared === null ? [] : [printable(`It was not compared with the database: ${notCompared}`)]),
    `Its last hash: ${head.position}:${head.hash}`,
  ].join('\n');
}
