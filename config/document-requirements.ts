import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { ACCOUNT_TYPES, DOCUMENT_TYPES } from '../domain/onboarding/choices.ts';
import {
  DEFAULT_DOCUMENT_REQUIREMENTS,
  type DocumentRequirements,
} from '../domain/onboarding/document-requirements.ts';
import { ConfigurationError } from './configuration-error.ts';

const COUNTRY = z.string().regex(/^[A-Z]{2}$/, 'give the two capital letters of a country');
const TYPE = z.enum(DOCUMENT_TYPES, `give one of: ${DOCUMENT_TYPES.join(', ')}`);

const SCHEMA = z
  .array(
    z.strictObject({
      account_type: z.enum(ACCOUNT_TYPES, `give one of: ${ACCOUNT_TYPES.join(', ')}`),
      countries: z.array(COUNTRY).min(1).nullable().default(null),
      documents: z.array(z.array(TYPE).min(1, 'give at least one type, any of which will do')),
    }),
    'give a list of requirements, each with account_type and documents',
  )
  .min(1, 'give at least one requirement');

/**
 * The documents that applicants must give, from a YAML file: a list whose first entry that fits counts. Null: the default.
 * @throws ConfigurationError with all that is wrong
 */
export function readDocumentRequirements(path: string | null): DocumentRequirements {
  if (path === null) return DEFAULT_DOCUMENT_REQUIREMENTS;
  const read = SCHEMA.safeParse(contentOf(path));
  if (read.success) {
    return read.data.map(({ account_type: accountType, countries, documents }) => ({
      accountType,
      countries,
      documents,
    }));
  }
  const problems = read.error.issues.map(({ path: place, message }) => `  ${place.join('.')}: ${message}`);
  throw new ConfigurationError(`the document requirements in ${path} are wrong:\n${problems.join('\n')}`);
}

function contentOf(path: string): unknown {
  try {
    return parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigurationError(`PAYRUN_DOCUMENT_REQUIREMENTS: ${path} cannot be read: ${why}`);
  }
}
