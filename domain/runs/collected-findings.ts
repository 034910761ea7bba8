import { FoundNames } from './found-names.ts';
import { RowGroup } from './found-rows.ts';
import { FINDING_KINDS, ROW_MARKS, type RowMark } from './run-finding.ts';
import {
  type CellWarning,
  checkWarnings,
  isToCompare,
  type OtherRows,
  pairOf,
  ROW_RULES,
  type RowFacts,
  type RowRule,
  UNREADABLE_ROWS,
} from './run-findings.ts';

/**
 * The findings of a run, whose rows are given one after another in the order of the file, so that nothing holds all of them. Of each
 * kind the first findings are kept; of the others, what names them.
 */

/** The findings listed of each kind; further ones are only counted. */
export const MAX_FINDINGS_PER_KIND = 1_000;

/** One finding, and the rows that it is about. */
export interface RowFinding {
  kind: RowMark;
  found: RowGroup;
  /** What the check of the file said about them: of the kind `check_warning` only. */
  warnings?: readonly [CellWarning, ...CellWarning[]];
  /** Of the kind `account_has_other_names` only. */
  names?: FoundNames;
}

/** A day after today on which rows are due. */
export interface LaterDay {
  kind: 'pays_later';
  /** YYYY-MM-DD. */
  day: string;
  found: RowGroup;
}

/** What is to be known of all rows before any of them is judged. */
export class ComparedRows {
  /** The number of the first row of each pair whose name is compared with others. */
  readonly toCompare = new Map<string, number>();
  readonly sharedAccounts = new Set<string>();
  readonly #nameOf = new Map<string, string>();

  add(row: RowFacts): void {
    const { name, account } = row;
    if (name === null || account === null) return;
    if (isToCompare(row) && !this.toCompare.has(pairOf(row))) this.toCompare.set(pairOf(row), row.rowNumber);
    const first = this.#nameOf.get(account);
    if (first === undefined) this.#nameOf.set(account, name);
    if ((first ?? name) !== name || row.before.isAccountPaidToOthers) this.sharedAccounts.add(account);
  }
}

/** Which marks the rows have, by their numbers. A bit for each of `ROW_MARKS`. */
export class RowMarks {
  #bits: Uint16Array;

  constructor(bits: Uint16Array = new Uint16Array(1_024)) {
    this.#bits = bits;
  }

  add(rowNumber: number, mark: RowMark): void {
    if (rowNumber >= this.#bits.length) {
      const longer = new Uint16Array(rowNumber * 2);
      longer.set(this.#bits);
      this.#bits = longer;
    }
    this.#bits[rowNumber] = (this.#bits[rowNumber] ?? 0) | (1 << ROW_MARKS.indexOf(mark));
  }

  of(rowNumber: number): RowMark[] {
    const bits = this.#bits[rowNumber] ?? 0;
    return bits === 0 ? [] : ROW_MARKS.filter((_mark, index) => (bits & (1 << index)) !== 0);
  }

  /** Of all rows, to hand them to another thread. */
  get bits(): Uint16Array {
    return this.#bits;
  }
}

/** The findings of one kind. */
class FindingsOfKind {
  readonly rule: RowRule;
  count = 0;
  readonly #maxListed: number;
  readonly #listed = new Map<string, RowFinding>();
  readonly #unlisted = new Set<string>();

  constructor(rule: RowRule, maxListed: number) {
    this.rule = rule;
    this.#maxListed = maxListed;
  }

  add(row: RowFacts): void {
    const { kind } = this.rule;
    const key = this.rule.groupOf?.(row);
    const finding = key === undefined ? undefined : this.#listed.get(key);
    if (finding !== undefined) addRow(finding, row);
    if (finding !== undefined || (key !== undefined && this.#unlisted.has(key))) return;
    this.count += 1;
    if (this.#listed.size < this.#maxListed) {
      const names = kind === 'account_has_other_names' ? { names: new FoundNames() } : {};
      const begun: RowFinding = { kind, found: new RowGroup(), ...names };
      this.#listed.set(key ?? String(row.rowNumber), begun);
      addRow(begun, row);
    } else if (key !== undefined) this.#unlisted.add(key);
  }

  get listed(): RowFinding[] {
    return [...this.#listed.values()];
  }
}

function addRow({ found, names }: RowFinding, row: RowFacts): void {
  found.add(row);
  names?.add(row);
}

export class CollectedFindings {
  readonly marks = new RowMarks();
  readonly #others: OtherRows;
  readonly #maxListed: number;
  readonly #unreadable: FindingsOfKind;
  readonly #kinds: readonly FindingsOfKind[];
  readonly #warnings: readonly CellWarning[];
  readonly #warnedRows = new Map<number, RowFacts | null>();

  /** `warnings`: those that the check of the file gave. */
  constructor(others: OtherRows, warnings: readonly CellWarning[] = [], maxListed = MAX_FINDINGS_PER_KIND) {
    this.#others = others;
    this.#maxListed = maxListed;
    this.#unreadable = new FindingsOfKind(UNREADABLE_ROWS, maxListed);
    this.#kinds = ROW_RULES.map((rule) => new FindingsOfKind(rule, maxListed));
    this.#warnings = warnings;
    for (const { line } of warnings) this.#warnedRows.set(line, null);
  }

  add(row: RowFacts): void {
    if (this.#warnedRows.has(row.line)) this.#warnedRows.set(row.line, row);
    for (const kind of this.#kinds) {
      if (!kind.rule.isAbout(row, this.#others)) continue;
      this.marks.add(row.rowNumber, kind.rule.kind);
      kind.add(row);
    }
  }

  /** A row of which nobody can read whom it pays. */
  addUnreadable(row: RowFacts): void {
    this.marks.add(row.rowNumber, 'row_unreadable');
    this.#unreadable.add(row);
  }

  /** Those that are listed, the most alarming kind first, and how many there are of each kind. Once, after the last row. */
  finish(): { listed: RowFinding[]; counts: Map<RowMark, number> } {
    const warned = this.#warned();
    const kinds = [this.#unreadable, ...this.#kinds];
    const listed = [...kinds.flatMap((kind) => kind.listed), ...warned.slice(0, this.#maxListed)];
    return {
      listed: listed.sort((a, b) => FINDING_KINDS.indexOf(a.kind) - FINDING_KINDS.indexOf(b.kind)),
      counts: new Map([
        ...kinds.map(({ rule, count }) => [rule.kind, count] as const),
        ['check_warning', warned.length],
      ]),
    };
  }

  #warned(): RowFinding[] {
    const byLine = new Map(
      [...this.#warnedRows].flatMap(([line, row]) => (row === null ? [] : [[line, row] as const])),
    );
    return checkWarnings(byLine, this.#warnings).map(({ rows, warnings }) => {
      const found = new RowGroup();
      for (const row of rows) {
        found.add(row);
        this.marks.add(row.rowNumber, 'check_warning');
      }
      return { kind: 'check_warning', found, warnings };
    });
  }
}

/** The days after today on which rows are due. */
export class LaterDays {
  readonly #today: string;
  readonly #byDay = new Map<string, RowGroup>();

  /** `today`: YYYY-MM-DD. */
  constructor(today: string) {
    this.#today = today;
  }

  add(row: RowFacts): void {
    if (row.payOn === null || row.payOn <= this.#today) return;
    const found = this.#byDay.get(row.payOn) ?? new RowGroup();
    this.#byDay.set(row.payOn, found);
    found.add(row);
  }

  /** The first day first. */
  all(): LaterDay[] {
    return [...this.#byDay]
      .map(([day, found]) => ({ kind: 'pays_later' as const, day, found }))
      .sort((a, b) => (a.day < b.day ? -1 : 1));
  }
}
