import type { Explanation } from '../domain/explanation.ts';
import {
  APPLICANT_DOCUMENT_ERRORS,
  APPLICANT_FILE_ERRORS,
  APPLICANT_REVISION_ERRORS,
  APPLICANT_VALUE_ERRORS,
} from '../domain/onboarding/applicant-problem-codes.ts';
import { CASE_REASONS } from '../domain/onboarding/case-reason-codes.ts';
import { CELL_ERRORS, CELL_WARNINGS } from '../domain/payment-file/cell-problem-codes.ts';
import { FILE_PROBLEMS } from '../domain/payment-file/file-problem-codes.ts';
import { SHEET_NOTES } from '../domain/payment-file/sheet-note-codes.ts';
import { PAYMENT_ERRORS } from '../domain/payments/payment-error-codes.ts';
import { CONVERSION_REASONS } from '../domain/treasury/conversion-reason-codes.ts';
import { FINDING_EXPLANATIONS } from '../domain/runs/finding-explanations.ts';
import { FINDING_KINDS, isAlarming } from '../domain/runs/run-finding.ts';
import { code, codeList, page, paragraph, table } from './markdown.ts';
import { CLIENT_EXPLANATIONS, REFUSAL_EXPLANATIONS } from './refusal-explanations.ts';
import { capitalized } from '../domain/capitalized.ts';

export function errorsPage(): string {
  return page(
    'Error codes',
    paragraph(
      'Codes are for programs and do not change; the messages beside them are for people and may change. See',
      '[Problems of a payment file](#problems-of-a-payment-file) for a file that was refused, [Payments](#payments) for a row that',
      'is not paid, and [Findings](#findings) for what an approver should check. Those of onboarding are under',
      "[Problems of an applicants' file](#problems-of-an-applicants-file) and [Onboarding](#onboarding), those of treasury under",
      '[Conversions](#conversions).',
    ),
    '## Refusals of the server',
    'Every refusal has the form `{"error": {"code", "message", "details"}}`.',
    table(
      ['code', 'HTTP status', 'cause', 'what to do'],
      Object.entries(REFUSAL_EXPLANATIONS).map(([name, { statuses, cause, fix }]) => [
        code(name),
        statuses.join(', '),
        cause,
        fix,
      ]),
    ),
    'The command line (`--json`) and the TypeScript client have two more:',
    explanationTable(CLIENT_EXPLANATIONS),
    ...fileProblems(),
    ...paymentErrors(),
    ...findings(),
    ...applicantProblems(),
    ...caseReasons(),
    ...conversionReasons(),
  );
}

function fileProblems(): string[] {
  return [
    '## Problems of a payment file',
    paragraph(
      'A file with a problem is refused as a whole, and nothing of it is stored or paid. With `--on-invalid skip`, rows with',
      'errors are left out as `invalid` and the others are submitted. `payrun submit` shows each problem with its line, column,',
      'value and fix.',
    ),
    '### The file as a whole',
    'Only the first one is shown, as nothing after it can be trusted.',
    explanationTable(FILE_PROBLEMS),
    '### Rows and cells',
    explanationTable(CELL_ERRORS),
    '### Warnings',
    'A row with warnings only is paid.',
    explanationTable(CELL_WARNINGS),
    '### Notes about a sheet',
    'What a maker and an approver should know of a file. Its rows are paid.',
    explanationTable(sentencesOf(SHEET_NOTES)),
  ];
}

/** Their texts complete messages, which are no sentences. */
function sentencesOf(notes: Readonly<Record<string, Explanation>>): Record<string, Explanation> {
  const sentence = (text: string) => `${capitalized(text)}.`;
  return Object.fromEntries(
    Object.entries(notes).map(([name, { cause, fix }]) => [name, { cause: sentence(cause), fix: sentence(fix) }]),
  );
}

function paymentErrors(): string[] {
  return [
    '## Payments',
    paragraph(
      'The column `error_code` of `results.csv`, and `payrun show RUN --row REF`, say why a row is not paid. The state of the row',
      'says whether money can have moved: see [States](states.md).',
    ),
    paragraph(
      '**Never pay an `unknown` row again, by payrun or by other means, before it is resolved: the provider may have the',
      'payment.** `payrun show RUN --row REF` gives its reference and the evidence to ask the provider with. Then two people',
      'resolve it: `payrun resolve RUN --row REF --outcome paid|rejected|failed|never_created --reason TEXT` proposes how it',
      'ended, and a checker confirms (`payrun resolve RUN --row REF --confirm`). Until then, it is not in',
      '`exceptions.csv`.',
    ),
    table(
      ['code', 'state of the row', 'cause', 'what to do'],
      Object.entries(PAYMENT_ERRORS).map(([name, { states, cause, fix }]) => [
        code(name),
        codeList(states),
        cause,
        fix,
      ]),
    ),
    paragraph(
      "An `invalid` row has the code of its first [problem](#rows-and-cells). Any other code is the provider's own, kept as it",
      'is, with its message: of a `rejected` or `held` row it has the meaning of `refused_by_provider`. On a row that waits for',
      'money it is why the last funding was refused.',
    ),
  ];
}

function findings(): string[] {
  const rows = FINDING_KINDS.map((kind) => {
    const { cause, fix } = FINDING_EXPLANATIONS[kind];
    return [code(kind), isAlarming(kind) ? 'yes' : '', cause, fix];
  });
  return [
    '## Findings',
    paragraph(
      'What stands out in the rows of a run before it is approved (`payrun show RUN`, `GET /runs/:runId/review`). A run with an',
      'alarming finding is approved only with an answer to it, how it was checked: in the console, by `payrun approve RUN`, which asks at a',
      'terminal, or with `--answers FILE`, by the id of the finding or by its kind.',
    ),
    table(['kind', 'alarming', 'why it is shown', 'what to do'], rows),
  ];
}

function applicantProblems(): string[] {
  return [
    "## Problems of an applicants' file",
    paragraph(
      'A file with a problem is refused as a whole, and nothing of it is stored. `payrun onboard submit` shows each problem with',
      'its line, field, value and fix. A CSV can also have the problems of',
      '[a payment file as a whole](#the-file-as-a-whole).',
    ),
    '### The form of the file',
    explanationTable(APPLICANT_FILE_ERRORS),
    '### Values',
    explanationTable(APPLICANT_VALUE_ERRORS),
    '### Documents',
    explanationTable(APPLICANT_DOCUMENT_ERRORS),
    '### New values for a case',
    explanationTable(APPLICANT_REVISION_ERRORS),
  ];
}

function caseReasons(): string[] {
  return [
    '## Onboarding',
    paragraph(
      'Why a case is in its [state](states.md#onboarding-cases), or stays in it (`payrun onboard show CASE`, `stateReason`). An',
      'erased case has the state in which it ended instead.',
    ),
    table(
      ['code', 'state of the case', 'cause', 'what to do'],
      Object.entries(CASE_REASONS).map(([name, { states, cause, fix }]) => [code(name), codeList(states), cause, fix]),
    ),
  ];
}

function conversionReasons(): string[] {
  return [
    '## Conversions',
    'Why an order to convert is in its [state](states.md#orders-to-convert) (`payrun treasury show ORDER`, `stateReason`).',
    table(
      ['code', 'state of the order', 'cause', 'what to do'],
      Object.entries(CONVERSION_REASONS).map(([name, { states, cause, fix }]) => [
        code(name),
        codeList(states),
        cause,
        fix,
      ]),
    ),
  ];
}

function explanationTable(explanations: Readonly<Record<string, Explanation>>): string {
  return table(
    ['code', 'cause', 'what to do'],
    Object.entries(explanations).map(([name, { cause, fix }]) => [code(name), cause, fix]),
  );
}
