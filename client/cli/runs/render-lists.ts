import type { RunSummary, TokenSummary } from '../../sdk/index.ts';
import { textTable } from '../text-table.ts';
import { count, moment, words } from '../wording.ts';

/** Runs as a table. */
export function renderRuns(runs: readonly RunSummary[]): string {
  if (runs.length === 0) return 'There are no runs yet.';
  return textTable(
    [
      { title: 'Run' },
      { title: 'State' },
      { title: 'Paid', align: 'right' },
      { title: 'Rows', align: 'right' },
      { title: 'Submitted' },
      { title: 'By', maxWidth: 20 },
      { title: 'File', maxWidth: 40 },
    ],
    runs.map((run) => [
      run.runId,
      words(run.state),
      count(run.rows.paid ?? 0),
      count(run.rowCount),
      moment(run.submittedAt),
      run.submittedBy.name,
      run.fileName,
    ]),
  );
}

/** Tokens as a table, without their secrets. */
export function renderTokens(tokens: readonly TokenSummary[]): string {
  if (tokens.length === 0) return 'There are no tokens.';
  return textTable(
    [
      { title: 'Token' },
      { title: 'User', maxWidth: 24 },
      { title: 'For', maxWidth: 30 },
      { title: 'Last used' },
      { title: 'State' },
    ],
    tokens.map((token) => [
      token.tokenId,
      token.name,
      token.label,
      token.lastUsedAt === null ? 'never' : moment(token.lastUsedAt),
      stateOf(token),
    ]),
  );
}

function stateOf({ revokedAt, expiresAt }: TokenSummary): string {
  if (revokedAt !== null) return `revoked on ${moment(revokedAt)}`;
  return expiresAt === null ? 'valid' : `valid until ${moment(expiresAt)}`;
}
