import { releaseEndpoints, rowEndpoints } from '../../api/runs/endpoints.ts';
import type { RowListQuery, RowSummary } from '../../api/runs/row.ts';
import { ApplicationError } from '../../application/application-error.ts';
import type { Application } from '../../application/create-application.ts';
import type { RowPage } from '../../application/runs/list-rows.ts';
import type { Api } from '../api.ts';
import { HttpError } from '../http-error.ts';
import { serve } from '../serve.ts';
import { mayReadInstructions } from '../users/access.ts';
import { existingRun } from './existing-run.ts';

/** The rows of a run, in pages. */
export function addRowRoutes(
  app: Api,
  application: Pick<Application, 'findRun' | 'listRows' | 'countRows' | 'findSuspects' | 'releaseRows'>,
): void {
  serve(app, rowEndpoints, {
    listRows: async ({ params: { runId }, query, request }) => {
      const withInstructions = mayReadInstructions(request);
      if ((query.mark !== null || query.finding !== null) && !withInstructions) {
        throw new ApplicationError('not_allowed', 'to look for findings needs the permission read_instructions');
      }
      await existingRun(application, runId);
      const page: RowPage = { ...query, after: query.after === null ? null : lastRowOf(query.after), withInstructions };
      const [rows, total] = await Promise.all([
        application.listRows(runId, page),
        query.count ? application.countRows(runId, page) : null,
      ]);
      const last = rows.length < query.limit ? undefined : rows.at(-1);
      return {
        rows,
        nextAfterLine: last === undefined || query.sort !== 'line' || query.order !== 'asc' ? null : last.line,
        next: last === undefined ? null : cursorOf(last, query),
        total,
      };
    },
  });
  serve(app, releaseEndpoints, {
    findSuspects: async ({ user, params, query }) => {
      await existingRun(application, params.runId);
      return application.findSuspects(user, params, query);
    },
    releaseRows: async ({ user, params, body }) => {
      await existingRun(application, params.runId);
      return application.releaseRows(user, params, body);
    },
  });
}

/** Where a page ends: the line of its last row, and its state where rows are sorted by that. */
function cursorOf({ line, state }: RowSummary, { sort }: RowListQuery): string {
  return Buffer.from(JSON.stringify(sort === 'state' ? [line, state] : [line])).toString('base64url');
}

function lastRowOf(cursor: string): { line: number; state: string | null } {
  try {
    const [line, state = null] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    if (Number.isInteger(line) && Number(line) <= 999_999_999 && (state === null || typeof state === 'string')) {
      return { line: Number(line), state };
    }
  } catch {
    // As below.
  }
  throw new HttpError(400, 'invalid_input', 'after: is not `next` of a page');
}
