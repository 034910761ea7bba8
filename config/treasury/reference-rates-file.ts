import { readFile, stat } from 'node:fs/promises';
import { type ReferenceRates, referenceRatesSchema } from '../../domain/rates/reference-rates.ts';
import { ConfigurationError } from '../configuration-error.ts';

/**
 * Reads the rates that quotes are compared with, again whenever the file has changed. Without a path: null. The result throws
 * ConfigurationError when the file cannot be read or is wrong: other rates would take its place unnoticed.
 */
export function referenceRatesIn(path: string | null): () => Promise<ReferenceRates | null> {
  let known: { changedAtMs: number; rates: ReferenceRates } | null = null;
  return async () => {
    if (path === null) return null;
    const changedAtMs = await changeOf(path);
    if (known?.changedAtMs === changedAtMs) return known.rates;
    const rates = parse(path, await readFile(path, 'utf8'));
    known = { changedAtMs, rates };
    return rates;
  };
}

async function changeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigurationError(`PAYRUN_REFERENCE_RATES: ${path} cannot be read: ${why}`);
  }
}

function parse(path: string, text: string): ReferenceRates {
  const read = referenceRatesSchema.safeParse(jsonIn(path, text));
  if (read.success) return read.data;
  const problems = read.error.issues.map((issue) => `  ${issue.path.join('.') || 'the file'}: ${issue.message}`);
  throw new ConfigurationError(`the reference rates in ${path} are wrong:\n${problems.join('\n')}`);
}

function jsonIn(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ConfigurationError(`the reference rates in ${path} are not JSON`);
  }
}
