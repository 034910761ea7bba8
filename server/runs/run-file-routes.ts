import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { runFileEndpoints } from '../../api/runs/endpoints.ts';
import type { Application } from '../../application/create-application.ts';
import type { Api } from '../api.ts';
import { serve } from '../serve.ts';
import { existingRun } from './existing-run.ts';

type Kind = 'sheet' | 'proposal' | 'results' | 'exceptions';

/** `sheet.csv`, `proposal.csv`, `results.csv` and `exceptions.csv`, streamed. */
export function addRunFileRoutes(app: Api, application: Pick<Application, 'findRun' | Kind>): void {
  const send = async (kind: Kind, runId: string, reply: FastifyReply): Promise<Readable> => {
    await existingRun(application, runId);
    const pieces = await withFirstPiece(application[kind](runId));
    void reply.type('text/csv; charset=utf-8');
    void reply.header('content-disposition', `attachment; filename="${kind}-${runId}.csv"`);
    return Readable.from(pieces);
  };
  serve(app, runFileEndpoints, {
    getSheet: ({ params: { runId }, reply }) => send('sheet', runId, reply),
    getProposal: ({ params: { runId }, reply }) => send('proposal', runId, reply),
    getResults: ({ params: { runId }, reply }) => send('results', runId, reply),
    getExceptions: ({ params: { runId }, reply }) => send('exceptions', runId, reply),
  });
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
