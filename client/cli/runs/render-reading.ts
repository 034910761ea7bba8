import type { SheetReadingProposal } from '../../../api/payment-file/reading.ts';
import { CSV_COLUMNS, isPaymentColumn } from '../../../domain/payment-file/csv-columns.ts';
import { columnsOf, type ColumnSource } from '../../../domain/import-profiles/profile.ts';
import {
  DELIMITERS,
  exampleAmount,
  exampleDate,
  sourceInWords,
} from '../../../domain/import-profiles/profile-in-words.ts';
import { printable } from '../printable.ts';
import { counted } from '../wording.ts';
import { renderProblem } from './render-problems.ts';

type Proposal = SheetReadingProposal;

/** How a sheet would be read, what is left to decide, and what to do then. */
export function renderReading(
  proposal: Proposal,
  { file, output, command }: { file: string; output: string; command: string },
): string {
  const open = openQuestions(proposal);
  const empty = leftEmpty(proposal);
  const parts = [
    fileLines(proposal, file),
    ['Reads:', ...columnLines(proposal)],
    ...proposal.rows.map((row) => [
      `Line ${row.line} is read as:`,
      ...row.ours.map(({ column, text }) => `  ${column.padEnd(WIDTH)} ${text}`),
      ...row.problems.map((problem) => `  ${renderProblem(problem)}`),
    ]),
    ...(empty.length === 0 ? [] : [['Left empty, and may be filled:', ...empty.map((line) => `  ${line}`)]]),
    ...(open.length === 0 ? [] : [['To decide:', ...open.map((line) => `  ${line}`)]]),
    [`The profile is in ${output}.`, ...whatToDo(proposal, { command, file, output, isOpen: open.length > 0 })],
  ];
  return parts.map((lines) => lines.map(printable).join('\n')).join('\n\n');
}

/** A file with a row that has a problem would be refused. */
function whatToDo(
  { rows }: Proposal,
  { file, output, command, isOpen }: { file: string; output: string; command: string; isOpen: boolean },
): string[] {
  const decide = `payrun prepare ${file} --profile ${output} --set COLUMN=TEXT --from COLUMN=HEADER …`;
  const then = `payrun ${command} ${file} --profile ${output}`;
  if (isOpen) return [`Decide by options: ${decide}`];
  if (rows.every(({ problems }) => problems.length === 0))
    return [`${command === 'submit' ? 'To submit' : 'To import'}: ${then}`];
  return [
    'Rows that are shown have problems, so that the file would be refused. Correct them in the sheet, or decide otherwise:',
    `  ${decide}`,
    `Then: ${then}`,
  ];
}

const WIDTH = 28;

function fileLines(
  { form, profile, from, rowCount, leftOut, droppedColumns, notes }: Proposal,
  file: string,
): string[] {
  const { encoding, delimiter, sheetName, headerLine } = profile.reading;
  const how = [
    formInWords(form, { encoding, sheetName }),
    ...(delimiter === null ? [] : [`cells separated by ${DELIMITERS[delimiter] ?? delimiter}`]),
    ...(headerLine === null || headerLine === 0 ? [] : [`headers in line ${headerLine}`]),
    counted(rowCount, 'row'),
  ];
  return [
    `${file}: ${how.join(', ')}.`,
    ...(from === 'ready' ? [`It has the headers of "${profile.name}".`] : []),
    ...(from === 'known' ? [`It was read like this before: "${profile.name}".`] : []),
    ...(droppedColumns.length === 0 ? [] : [`Empty columns, not read: ${droppedColumns.join(', ')}.`]),
    ...leftOut.rows.map(({ line, because }) => `Line ${line} is no payment: ${because}.`),
    ...(leftOut.count > leftOut.rows.length ? [`… and ${leftOut.count - leftOut.rows.length} more such lines.`] : []),
    ...notes.map((note) => renderProblem(note)),
  ];
}

function formInWords(
  form: Proposal['form'],
  { encoding, sheetName }: Pick<Proposal['profile']['reading'], 'encoding' | 'sheetName'>,
): string {
  if (form === 'xlsx') return `the sheet "${sheetName ?? ''}"`;
  if (form === 'json') return 'JSON';
  if (form === 'pain001') return sheetName === null ? 'a payment order' : `block "${sheetName}" of a payment order`;
  return `CSV${encoding === null ? '' : ` in ${encoding}`}`;
}

function columnLines({ profile }: Proposal): string[] {
  const lines = columnsOf(profile).map(({ column, source }) => `  ${column.padEnd(WIDTH)} ${sourceInWords(source)}`);
  return profile.ignored.length === 0
    ? lines
    : [...lines, `  ${'not read'.padEnd(WIDTH)} ${profile.ignored.map((name) => `"${name}"`).join(', ')}`];
}

/** What keeps the profile from being used. */
function openQuestions(proposal: Proposal): string[] {
  const { choices, columns, missingColumns, undecided, amountForms, dateForms } = proposal;
  const candidatesOf = (column: string) => columns.find((each) => each.column === column)?.candidates ?? [];
  return [
    ...choices
      .filter(({ what }) => what === 'encoding')
      .flatMap(({ chosen, because, sample, others }) => [
        `encoding: perhaps ${chosen}, as ${because}`,
        ...[{ value: chosen, sample }, ...others].map(
          (each) => `  --encoding ${each.value}: ${each.sample.map((cells) => cells.join(' ')).join(' / ')}`,
        ),
      ]),
    ...missingColumns.flatMap((column) => [
      `${column}: nothing fills it. ${descriptionOf(column)}`,
      ...candidatesOf(column).map(({ source, reason }) => `  ${optionFor(column, source)}  (${reason})`),
      ...(candidatesOf(column).length === 0 ? [`  --set ${column}=TEXT or --from ${column}=HEADER`] : []),
    ]),
    ...(undecided.includes('amount') ? ['amounts may be written in several forms:', ...readings(amountForms)] : []),
    ...(undecided.includes('pay_on') ? ['dates may be written in several forms:', ...readings(dateForms)] : []),
  ];
}

/** Columns that nobody has to fill, and a header may. */
function leftEmpty({ columns, profile, missingColumns }: Proposal): string[] {
  return columns
    .filter(({ column, isDecided }) => {
      const isFilled = isPaymentColumn(column) && profile.columns[column] !== undefined;
      return !isDecided && !isFilled && !missingColumns.includes(column);
    })
    .flatMap(({ column, candidates }) =>
      candidates.map(({ source, reason }) => `${optionFor(column, source)}  (${reason})`),
    );
}

function descriptionOf(column: string): string {
  const known = CSV_COLUMNS.find(({ name }) => name === column);
  return known === undefined ? '' : known.description.replaceAll('`', '');
}

function optionFor(column: string, { from, constant }: ColumnSource): string {
  const [header] = from;
  return header === undefined ? `--set ${column}=${constant ?? ''}` : `--from "${column}=${header}"`;
}

function readings(forms: Proposal['amountForms'] | Proposal['dateForms']): string[] {
  return forms.map(({ form, rows }) => {
    const read = rows.map(({ cell, read: text }) => `${cell} is ${text ?? 'not read'}`).join(', ');
    return `  ${'decimalSign' in form ? `--amounts "${exampleAmount(form)}"` : `--dates ${exampleDate(form)}`}: ${read}`;
  });
}
