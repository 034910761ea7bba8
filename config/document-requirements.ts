import { z } from 'zod';
import { ACCOUNT_TYPES, DOCUMENT_TYPES } from '../domain/onboarding/choices.ts';
import {
  DEFAULT_DOCUMENT_REQUIREMENTS,
  type DocumentRequirements,
} from '../domain/onboarding/document-requirements.ts';
import { ConfigurationError } from './configuration-error.ts';
import { readYamlFile, type YamlPlace } from './yaml-file.ts';

const COUNTRY = z.string().regex(/^[A-Z]{2}$/, 'give the two capital letters of a country');
const TYPE = z.enum(DOCUMENT_TYPES, `give one of: ${DOCUMENT_TYPES.join(', ')}`);

const SCHEMA = z
  .array(
    z.strictObject({
      account_type: z.enum(ACCOUNT_TYPES, `give one of: ${ACCOUNT_TYPES.join(', ')}`),
      countries: z.array(COUNTRY).min(1).nullable().default(null),
      documents: z.array(
        z.array(TYPE, 'give a list of types').min(1, 'give at least one type, any of which will do'),
        'give a list of documents, each a list of types',
      ),
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
  const { content, lineOf } = readYamlFile(path, {
    variable: 'PAYRUN_DOCUMENT_REQUIREMENTS',
    what: 'the document requirements',
  });
  const read = SCHEMA.safeParse(content);
  if (read.success) {
    return read.data.map(({ account_type: accountType, countries, documents }) => ({
      accountType,
      countries,
      documents,
    }));
  }
  const problems = read.error.issues
    .flatMap((issue) => problemsOf(issue, lineOf))
    .sort((a, b) => a.line - b.line)
    .map(({ line, problem }) => `  line ${line}: ${problem}`);
  throw new ConfigurationError(`the document requirements in ${path} are wrong:\n${problems.join('\n')}`);
}

interface Problem {
  line: number;
  problem: string;
}

function problemsOf(issue: z.core.$ZodIssue, lineOf: (place: YamlPlace) => number): Problem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      line: lineOf([...issue.path, key]),
      problem: `${key}: an entry has only account_type, countries and documents; remove it, or correct its name`,
    }));
  }
  const field = issue.path.find((part) => typeof part === 'string');
  return [{ line: lineOf(issue.path), problem: field === undefined ? issue.message : `${field}: ${issue.message}` }];
}
