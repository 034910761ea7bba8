import { randomUUID } from 'node:crypto';
import { corridorsOf } from '../../domain/corridors-of.ts';
import { checkRows } from '../../domain/check-rows.ts';
import { paymentIdOf } from '../../domain/payment-identity.ts';
import type { PaymentInstruction } from '../../domain/payment-instruction.ts';
import type { RawRow } from '../../domain/raw-row.ts';
import type { Actor } from '../../domain/role.ts';
import type { RowProblem } from '../../domain/row-problem.ts';
import { fileKindOf } from '../../domain/supporting-file-kind.ts';
import { appendAudit } from '../../store/audit.ts';
import { addRun, type NewRow } from '../../store/run-rows.ts';
import type { Submission, SubmitOutcome } from './engine-api.ts';
import type { EngineDependencies } from './engine-dependencies.ts';
import { EngineError } from './engine-error.ts';
import { knownReferenceData } from './known-reference-data.ts';
import { readPaymentFile } from './read-payment-file.ts';
import { contentSha256, payeeFingerprintOf, rowHashOf } from '../../store/row-identity.ts';
import { startRun } from './start-run.ts';

/**
 * Checks a file by every rule at once. A refused file leaves an entry in the audit and nothing else; an accepted one
 * is stored whole, and then its run is started.
 */
export async function submitRun(
  dependencies: EngineDependencies,
  actor: Actor,
  submission: Submission,
): Promise<SubmitOutcome> {
  const { database } = dependencies;
  const account = accountOf(dependencies, submission.account);
  const fileSha256 = contentSha256(submission.csv);
  const refuse = async (problems: RowProblem[]): Promise<SubmitOutcome> => {
    const codes = Object.fromEntries(countBy(problems, ({ code }) => code));
    await appendAudit(database, { actor: actor.userId, kind: 'file_refused', detail: { fileSha256, problems: codes } });
    return { kind: 'refused', problems };
  };

  const read = readPaymentFile(submission.csv, { mapping: submission.mapping, defaults: submission.defaults });
  if ('fileProblem' in read) return refuse([read.fileProblem]);
  const reference = await knownReferenceData(dependencies, account, corridorsOf(read.rows));
  const files = new Map(
    submission.files.map(({ name, bytes }) => [name, { sizeBytes: bytes.byteLength, kind: fileKindOf(bytes) }]),
  );
  const today = new Date(dependencies.now()).toISOString().slice(0, 10);
  const checked = checkRows(read.rows, { reference, files, today });
  const mustRefuse = checked.problems.length > 0 && (submission.onInvalid === 'reject' || checked.valid.length === 0);
  if (mustRefuse) return refuse(checked.problems);

  const runId = randomUUID();
  const named = new Set(checked.valid.flatMap(({ supportingFiles }) => supportingFiles));
  await addRun(database, {
    runId,
    account,
    fileName: submission.fileName,
    fileSha256,
    header: { names: read.header.names, hasByteOrderMark: read.header.hasByteOrderMark },
    submittedBy: actor.userId,
    rows: rowsOf(runId, read.rows, checked.valid, checked.problems),
    files: submission.files.flatMap(({ name, bytes }) => {
      const contentType = files.get(name)?.kind.contentType ?? null;
      return contentType === null || !named.has(name)
        ? []
        : [{ name, contentType, bytes, sha256: contentSha256(bytes) }];
    }),
  });
  await startRun(dependencies, { runId, account, submittedBy: actor.userId });
  return { kind: 'accepted', runId, skipped: checked.problems, warnings: checked.warnings };
}

function accountOf({ accounts }: EngineDependencies, name: string | null): string {
  const account = name === null ? accounts[0] : accounts.find((candidate) => candidate.name === name);
  if (account !== undefined) return account.name;
  const known = accounts.map((candidate) => candidate.name).join(', ');
  throw new EngineError('invalid_input', `there is no provider account of that name; configured are: ${known}`);
}

/** Every row of the file: the valid ones ready, the others kept as invalid, with what is wrong with them. */
function rowsOf(
  runId: string,
  rows: readonly RawRow[],
  valid: readonly PaymentInstruction[],
  problems: readonly RowProblem[],
): NewRow[] {
  const instructions = new Map(valid.map((instruction) => [instruction.line, instruction]));
  const problemsByLine = new Map<number, RowProblem[]>();
  for (const problem of problems)
    problemsByLine.set(problem.line, [...(problemsByLine.get(problem.line) ?? []), problem]);
  return rows.map(({ line, cells, original }, index) => {
    const place = { rowNumber: index + 1, line, cells: original };
    const instruction = instructions.get(line);
    if (instruction !== undefined) {
      return {
        ...place,
        paymentId: paymentIdOf(runId, instruction.rowRef),
        rowRef: instruction.rowRef,
        state: 'ready',
        instruction,
        rowHash: rowHashOf(instruction),
        payeeFingerprint: payeeFingerprintOf(instruction),
        errorCode: null,
        errorMessage: null,
      };
    }
    const found = problemsByLine.get(line) ?? [];
    return {
      ...place,
      // An invalid row may share its reference with another, or have none: its line tells it apart.
      paymentId: paymentIdOf(runId, `invalid line ${line}`),
      rowRef: (cells.row_ref ?? '').trim(),
      state: 'invalid',
      instruction: null,
      rowHash: null,
      payeeFingerprint: null,
      errorCode: found[0]?.code ?? 'invalid',
      errorMessage: found.map(({ column, problem, mend }) => `${column ?? 'line'}: ${problem}; ${mend}`).join(' | '),
    };
  });
}

function countBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}
