import { AsyncResource } from 'node:async_hooks';
import pg from 'pg';

/** Is notified of every statement: for metrics and traces. It must not throw. */
export interface QueryObserver {
  /** `statement`: its first word, and the table that it names first. Returns what to call when it has ended. */
  begin(statement: { verb: string; table: string | null }): (error: unknown) => void;
}

/** The constructor of clients that report their statements, for a pool. */
export function observedClient(observer: QueryObserver): typeof pg.Client {
  return class ObservedClient extends pg.Client {
    // Overloads of pg: a text or a configuration, perhaps values, perhaps a callback, which the pool itself passes.
    override query(...given: unknown[]): never {
      const query = super.query.bind(this) as (...args: unknown[]) => unknown;
      const text = textOf(given[0]);
      // A stream or a cursor reports its end itself.
      if (text === null) return query(...given) as never;
      const end = observer.begin(describe(text));
      const last = given.at(-1);
      if (typeof last === 'function') {
        const callback = last as (error: unknown, result: unknown) => void;
        const observed = (error: unknown, result: unknown): void => {
          end(error ?? null);
          callback(error, result);
        };
        return query(...given.slice(0, -1), observed) as never;
      }
      const answer = query(...given) as Promise<unknown>;
      answer.then(
        () => end(null),
        (error: unknown) => end(error),
      );
      return answer as never;
    }
  };
}

type WhenConnected = Parameters<pg.Pool['connect']>[0];

/**
 * Has the statements of the pool run in the context of their caller: who waits for a connection gets it in the context of
 * whoever returned it.
 */
export function inTheCallersContext(pool: pg.Pool): void {
  const connect = pool.connect.bind(pool) as (whenConnected?: WhenConnected) => Promise<pg.PoolClient>;
  const bound = (whenConnected?: WhenConnected): Promise<pg.PoolClient> =>
    whenConnected === undefined ? connect() : connect(AsyncResource.bind(whenConnected));
  pool.connect = bound as pg.Pool['connect'];
}

function textOf(query: unknown): string | null {
  if (typeof query === 'string') return query;
  if (typeof query !== 'object' || query === null || 'submit' in query || !('text' in query)) return null;
  return typeof query.text === 'string' ? query.text : null;
}

const VERBS: ReadonlySet<string> = new Set([
  'select',
  'insert',
  'update',
  'delete',
  'with',
  'begin',
  'commit',
  'rollback',
]);

/** Values are never part of a text here, but nothing beyond two words of it is told. */
function describe(text: string): { verb: string; table: string | null } {
  const verb = /^\s*([a-z]+)/i.exec(text)?.[1]?.toLowerCase() ?? '';
  const table = /\b(?:from|into|update)\s+([a-z_]+)\b/i.exec(text)?.[1] ?? null;
  return { verb: VERBS.has(verb) ? verb : 'other', table };
}
