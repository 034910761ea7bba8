import type { FastifyRequest } from 'fastify';
import type { Application } from '../../application/create-application.ts';
import type { Api } from '../api.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the answer has what its endpoint may show of personal data. */
    showsPersonalData: boolean;
  }
}

/** What is read again within this time is not noted again: pages of the console read every few seconds. */
const NOTED_FOR_MS = 3_600_000;
const MAX_NOTED = 50_000;

/**
 * Notes in the audit trail who has read personal data or bank details: by which token, route and permission, of what the address
 * names, and from where. The first read of an hour is noted before its answer leaves; if that fails, so does the answer.
 */
export function noteReads(app: Api, application: Pick<Application, 'noteRead'>): void {
  const noted = new NotedReads();
  app.decorateRequest('showsPersonalData', true);
  app.addHook('onSend', async (request, reply, payload) => {
    const { user } = request;
    if (user === null || reply.statusCode >= 300 || !request.showsPersonalData) return payload;
    for (const reads of user.reads ?? []) {
      const read = { reads, route: `${request.method} ${request.routeOptions.url ?? ''}`, named: namedBy(request) };
      // guard: reads-noted-by-address
      const key = JSON.stringify([user.tokenId, read, request.ip]);
      // guard: reads-noted
      await noted.once(key, () => application.noteRead(user, { ...read, address: request.ip }));
    }
    return payload;
  });
}

/** Ids alone: references of rows and names of files may name people. */
function namedBy({ params, query }: FastifyRequest): Record<string, string> {
  const ids = Object.entries(params as Record<string, string>).filter(([name]) => name.endsWith('Id'));
  const { account } = query as { account?: unknown };
  return {
    ...Object.fromEntries(ids.map(([name, id]) => [name.slice(0, -2), id])),
    ...(typeof account === 'string' ? { account } : {}),
  };
}

/** Reads that were noted within the hour, by this server. */
class NotedReads {
  readonly #noted = new Map<string, { at: number; done: Promise<void> }>();

  async once(key: string, note: () => Promise<void>): Promise<void> {
    const known = this.#noted.get(key);
    if (known !== undefined && Date.now() - known.at < NOTED_FOR_MS) return known.done;
    if (this.#noted.size >= MAX_NOTED) this.#noted.clear();
    const done = note();
    this.#noted.set(key, { at: Date.now(), done });
    try {
      await done;
    } catch (error) {
      this.#noted.delete(key);
      throw error;
    }
  }
}
