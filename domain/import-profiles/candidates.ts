import { CSV_COLUMNS, type PaymentColumn } from '../payment-file/csv-columns.ts';
import type { Fit, NamedSamples, ProposedColumn } from './candidate.ts';
import { columnsToldBy, type Evidence, evidenceOf } from './cell-kinds.ts';
import { derivedCandidates } from './derived-candidates.ts';
import { isInOtherUnit, meaningsOfHeader } from './header-meanings.ts';
import { proposedSource } from './proposed-source.ts';
import { rowRefCandidates } from './row-ref-candidates.ts';

/** A header that is the word of a column, contains it, is that of another column as well; and what its cells say. */
const POINTS = {
  itself: { whole: 6, contained: 4 },
  also: { whole: 3, contained: 2 },
  agree: 2,
  contradict: -3,
  nothing: 0,
  /** No header says so, and the cells do. */
  cells: 3,
} as const;
const ENOUGH = 2;
/** With less between them, two candidates are both shown, and a person decides. */
const CLEARLY = 2;

/** Of each column of ours, in their order, what may fill it. */
export function candidatesOf(samples: NamedSamples): ProposedColumn[] {
  const fits = fitsByColumn(samples);
  return CSV_COLUMNS.flatMap(({ name: column }): ProposedColumn[] => {
    const fromCells = proposedFor(column, fits, samples);
    const proposed = column === 'row_ref' ? rowRefCandidates(samples, fits, fromCells) : fromCells;
    return proposed === null ? [] : [proposed];
  });
}

function proposedFor(
  column: PaymentColumn,
  fits: ReadonlyMap<PaymentColumn, Fit[]>,
  samples: NamedSamples,
): ProposedColumn | null {
  const found = (fits.get(column) ?? []).toSorted((a, b) => b.points - a.points);
  const derived = derivedCandidates(column, fits, samples);
  const [best, next] = found;
  const isClear = best !== undefined && (next === undefined || best.points - next.points >= CLEARLY);
  const isDecided = isClear && !best.isOptional;
  const fromHeaders = found.map(({ header, cells, why, isSure, reason }) => ({
    source: proposedSource(column, header, cells),
    why,
    isSure: isSure && isDecided,
    reason,
  }));
  if (fromHeaders.length > 0) return { column, candidates: fromHeaders, isDecided };
  return derived.length > 0 ? { column, candidates: derived, isDecided: derived.length === 1 } : null;
}

function fitsByColumn({ names, records }: NamedSamples): ReadonlyMap<PaymentColumn, Fit[]> {
  const fits = new Map<PaymentColumn, Fit[]>();
  names.forEach((header, place) => {
    const cells = records.map((record) => (record.cells[place] ?? '').trim()).filter((cell) => cell !== '');
    for (const [column, fit] of fitsOf(header, cells, isNameBesideOther(header, names))) {
      if (fit.points >= ENOUGH) fits.set(column, [...(fits.get(column) ?? []), fit]);
    }
  });
  // Beside the names of people, what may hold the name of a company holds that of a person.
  const isOfPeople = fits.has('beneficiary_first_name') || fits.has('beneficiary_last_name');
  const companies = (fits.get('beneficiary_company_name') ?? []).filter(({ isItself }) => isItself || !isOfPeople);
  return fits.set('beneficiary_company_name', companies);
}

function fitsOf(header: string, cells: readonly string[], beside: PaymentColumn | null): Map<PaymentColumn, Fit> {
  const fits = new Map<PaymentColumn, Fit>();
  const told = columnsToldBy(cells);
  const add = (column: PaymentColumn, points: number, how: { role: Role; isWhole: boolean; isOptional?: boolean }) => {
    const evidence = evidenceOf(column, cells);
    const sum = points + POINTS[evidence];
    const reason = reasonFor(column, { header, cells }, evidence, how);
    if ((fits.get(column)?.points ?? 0) < sum) {
      fits.set(column, {
        header,
        cells,
        points: sum,
        isItself: how.role === 'itself',
        isOptional: how.isOptional === true,
        ...reason,
      });
    }
  };
  const meanings =
    beside === null ? meaningsOfHeader(header) : [{ column: beside, also: [], isWhole: true, isDoubtful: false }];
  for (const { column, also, isWhole, isDoubtful } of meanings) {
    for (const each of column === null ? also : [column, ...also]) {
      // Cells that are IBANs below "Account number" are IBANs.
      if (each.startsWith('bank_') && told.length > 0 && evidenceOf(each, cells) !== 'agree') continue;
      const isItself = each === column && !isDoubtful;
      const role = isItself ? 'itself' : 'also';
      add(each, POINTS[role][isWhole ? 'whole' : 'contained'], {
        role,
        isWhole,
        // guard: amount-in-other-unit
        isOptional: (column === null && isOptionalColumn(each)) || isAmountInOtherUnit(each, header),
      });
    }
  }
  // What is called by a word of none of ours is none of ours, whatever its cells look like.
  if (meanings.some(({ column, also }) => column === null && also.length === 0)) return fits;
  for (const column of told) {
    if (!fits.has(column)) add(column, POINTS.cells - POINTS.agree, { role: 'cells', isWhole: false });
  }
  return fits;
}

/** The column of the meaning itself, or one that such a header fills as well. */
type Role = 'itself' | 'also' | 'cells';

function reasonFor(
  column: PaymentColumn,
  { header, cells }: Pick<Fit, 'header' | 'cells'>,
  evidence: Evidence,
  { role, isWhole }: { role: Role; isWhole: boolean },
): Pick<Fit, 'why' | 'isSure' | 'reason'> {
  if (role === 'cells') {
    return { why: 'contents', isSure: false, reason: `the cells below "${header}" are of the form of ${column}` };
  }
  const called = isWhole ? `"${header}" is a word for it` : `"${header}" contains a word for it`;
  const reason = role === 'itself' ? called : `"${header}" often fills it where no other header does`;
  if (isAmountInOtherUnit(column, header)) {
    return {
      why: 'header',
      isSure: false,
      reason: `${reason}, but it names another unit, and amounts are paid as written`,
    };
  }
  if (isRepeated(column, cells)) {
    return { why: 'header', isSure: false, reason: `${reason}, but a cell comes more than once` };
  }
  if (evidence === 'contradict') {
    return { why: 'header', isSure: false, reason: `${reason}, but most of its cells are not of this form` };
  }
  const isSure = role === 'itself' && (isWhole || evidence === 'agree');
  if (evidence === 'agree') return { why: 'both', isSure, reason: `${reason}, and its cells are of this form` };
  return { why: 'header', isSure, reason };
}

function isAmountInOtherUnit(column: PaymentColumn, header: string): boolean {
  return column === 'amount' && isInOtherUnit(header);
}

function isOptionalColumn(column: PaymentColumn): boolean {
  return CSV_COLUMNS.some(({ name, need }) => name === column && need === 'optional');
}

/** Rows with one `row_ref` are refused. */
function isRepeated(column: PaymentColumn, cells: readonly string[]): boolean {
  return column === 'row_ref' && new Set(cells).size < cells.length;
}

const NAME_WORDS = new Set(['name', 'nom', 'nombre', 'nome', 'naam']);

/** "Nom" beside "Prénom" is a last name, "Nome" beside "Cognome" a first name. */
function isNameBesideOther(header: string, names: readonly string[]): PaymentColumn | null {
  if (!NAME_WORDS.has(header.toLowerCase())) return null;
  const others = names.flatMap((name) => meaningsOfHeader(name).map(({ column }) => column));
  const hasFirst = others.includes('beneficiary_first_name');
  const hasLast = others.includes('beneficiary_last_name');
  if (hasFirst === hasLast) return null;
  return hasFirst ? 'beneficiary_last_name' : 'beneficiary_first_name';
}
