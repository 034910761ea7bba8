import { Readable } from 'node:stream';
import type { Application } from '../../application/application-api.ts';
import type { Api } from '../api.ts';
import { existingRun } from './existing-run.ts';
import { errorsOf, text } from '../../api/answers.ts';
import { runParams } from '../../api/runs/run.ts';

const FILES = [
  { kind: 'results', operationId: 'getResults', summary: 'A line for every input row, in input order' },
  {
    kind: 'exceptions',
    operationId: 'getExceptions',
    summary: 'The rows known not to be paid, to correct and submit again',
  },
] as const;

/** `results.csv` and `exceptions.csv`, streamed. */
export function addRunFileRoutes(app: Api, application: Pick<Application, 'findRun' | 'results' | 'exceptions'>): void {
  for (const { kind, operationId, summary } of FILES) {
    app.route({
      method: 'GET',
      url: `/runs/:runId/${kind}.csv`,
      config: { access: 'read_instructions' },
      schema: {
        operationId,
        tags: ['runs'],
        summary,
        params: runParams,
        response: { 200: text('The file.', 'text/csv'), ...errorsOf(400, 404) },
      },
      handler: async ({ params }, reply) => {
        await existingRun(application, params.runId);
        const pieces = await withFirstPiece(application[kind](params.runId));
        void reply.type('text/csv; charset=utf-8');
        void reply.header('content-disposition', `attachment; filename="${kind}-${params.runId}.csv"`);
        await reply.send(Readable.from(pieces) as unknown as string);
      },
    });
  }
}

/** The same pieces, once the first one is there: an immediate failure still gets its HTTP status. */
async function withFirstPiece(pieces: AsyncIterable<string>): Promise<AsyncIterable<string>> {
  const iterator = pieces[Symbol.asyncIterator]();
  const first = await iterator.next();
  return (async function* () {
    try {
      for (let piece = first; piece.done !== true; piece = await iterator.next()) yield piece.value;
    } finally {
      await iterator.return?.();
    }
  })();
}
