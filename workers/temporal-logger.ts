import type { Logger as TemporalLogger } from '@temporalio/worker';
import type { Logger } from 'pino';

/** Writes the Temporal SDK's warnings and errors to our log. */
export function temporalLogger(log: Logger): TemporalLogger {
  const write = (level: string, message: string, meta?: object): void => {
    if (level === 'WARN') log.warn({ temporal: identifiersIn(meta) }, message);
    else if (level === 'ERROR') log.error({ temporal: identifiersIn(meta) }, message);
  };
  return {
    log: (level, message, meta) => write(level, message, meta),
    trace: () => undefined,
    debug: () => undefined,
    info: () => undefined,
    warn: (message, meta) => write('WARN', message, meta),
    error: (message, meta) => write('ERROR', message, meta),
  };
}

/** Identifiers, and errors by name and message: an error's other properties may hold a provider's texts. */
function identifiersIn(meta: object | undefined): Record<string, unknown> {
  const known: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(meta ?? {})) {
    if (key === 'error' && value instanceof Error) known['error'] = `${value.name}: ${value.message}`;
    else if (typeof value === 'string' || typeof value === 'number') known[key] = value;
  }
  return known;
}
