import { randomUUID } from 'node:crypto';
import { corridorsOf } from '../../domain/corridors-of.ts';
import type { Actor } from '../../domain/role.ts';
import { fileKindOf } from '../../domain/supporting-file-kind.ts';
import { appendAudit } from '../../store/audit.ts';
import { contentSha256 } from '../../store/row-identity.ts';
import { addRun } from '../../store/run-rows.ts';
import { checkPaymentFile, readFileToCheck } from './check-payment-file.ts';
import type { Submission, SubmitOutcome } from './engine-api.ts';
import type { EngineDependencies } from './engine-dependencies.ts';
import { EngineError } from './engine-error.ts';
import { knownReferenceData } from './known-reference-data.ts';
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
  const files = new Map(
    submission.files.map(({ name, bytes }) => [name, { sizeBytes: bytes.byteLength, kind: fileKindOf(bytes) }]),
  );
  const runId = randomUUID();
  const read = readFileToCheck(submission);
  const checked =
    read.kind === 'refused'
      ? read
      : checkPaymentFile(read, {
          runId,
          onInvalid: submission.onInvalid,
          reference: await knownReferenceData(dependencies, account, corridorsOf(read.rows)),
          files,
          today: new Date(dependencies.now()).toISOString().slice(0, 10),
        });
  const { fileSha256 } = checked;
  if (checked.kind === 'refused') {
    const { problems, codes } = checked;
    await appendAudit(database, { actor: actor.userId, kind: 'file_refused', detail: { fileSha256, problems: codes } });
    return { kind: 'refused', problems: problems.listed, problemCount: problems.count };
  }
  const { header, rows, filesNamed, skipped, warnings } = checked;
  await addRun(database, {
    runId,
    account,
    fileName: submission.fileName,
    fileSha256,
    header,
    submittedBy: actor.userId,
    rows,
    files: submission.files.flatMap(({ name, bytes }) => {
      const contentType = files.get(name)?.kind.contentType ?? null;
      if (contentType === null || !filesNamed.includes(name)) return [];
      return [{ name, contentType, bytes, sha256: contentSha256(bytes) }];
    }),
  });
  await startRun(dependencies, { runId, account, submittedBy: actor.userId });
  return {
    kind: 'accepted',
    runId,
    skipped: skipped.listed,
    skippedCount: skipped.count,
    warnings: warnings.listed,
    warningCount: warnings.count,
  };
}

function accountOf({ accounts }: EngineDependencies, name: string | null): string {
  const account = name === null ? accounts[0] : accounts.find((candidate) => candidate.name === name);
  if (account !== undefined) return account.name;
  const known = accounts.map((candidate) => candidate.name).join(', ');
  throw new EngineError('invalid_input', `there is no provider account of that name; configured are: ${known}`);
}
