import { preparedReader } from '../../domain/import-profiles/read-record.ts';
import { columnsOf, type Profile } from '../../domain/import-profiles/profile.ts';
import type { SheetRecord } from '../../domain/import-profiles/sheet-record.ts';
import { columnsNeededWith } from '../../domain/payment-file/check-payment.ts';
import { placeholdersIn } from '../../domain/payment-file/check-texts.ts';
import { corridorOf } from '../../domain/payment-file/corridors.ts';
import type { Destination } from '../../domain/payment-file/corridor-template.ts';
import type { PaymentColumn } from '../../domain/payment-file/csv-columns.ts';
import type { Cells } from '../../domain/payment-file/raw-row.ts';
import { corridorKey } from '../../domain/payment-file/reference-data.ts';
import type { RowProblem } from '../../domain/payment-file/row-problem.ts';
import { EmptyDays } from './empty-days.ts';
import { FormulaCells } from './formula-cells.ts';

/** What the first rows of a sheet say of all of it, as a profile reads them. */
export interface FirstRows {
  /** Whom they pay: what the provider requires of them is not known here. */
  destinations: Destination[];
  /** Columns that they need for what they say in others. */
  needed: PaymentColumn[];
  notes: RowProblem[];
}

const MOST_DESTINATIONS = 20;

export function firstRowsOf(profile: Profile, headers: readonly string[], records: readonly SheetRecord[]): FirstRows {
  const reader = preparedReader(profile, headers);
  const days = new EmptyDays(profile);
  const formulas = new FormulaCells(reader.columns);
  const destinations = new Map<string, Destination>();
  const needed = new Set<PaymentColumn>();
  for (const record of records) {
    const read = reader.read(record);
    if (read === null) continue;
    days.add(record.line, read);
    formulas.add(record.line, record);
    const cells = 'cells' in read ? read.cells : read.readable;
    for (const column of columnsNeededWith(cells)) needed.add(column);
    const destination = destinationOf(cells);
    if (destination === null || destinations.size >= MOST_DESTINATIONS) continue;
    destinations.set(`${corridorKey(destination.corridor)} ${destination.entityType}`, destination);
  }
  return {
    destinations: [...destinations.values()],
    needed: [...needed],
    notes: [...days.notes(), ...formulas.notes(), ...placeholderNotes(profile)],
  };
}

/** A text for all rows that says that something is missing. */
function placeholderNotes(profile: Profile): RowProblem[] {
  const texts: Cells = Object.fromEntries(
    columnsOf(profile).map(({ column, source }) => [column, source.constant ?? '']),
  );
  return placeholdersIn(texts).map((column) => ({
    ...{ line: 0, rowRef: null, column, value: null, code: 'placeholder' },
    problem: `"${texts[column] ?? ''}" as ${column} of every row is a word for what is missing, and it is sent to the bank`,
    fix: 'add the column to the sheet, or have the beneficiaries in the book, where a row names one by beneficiary_key',
  }));
}

function destinationOf(cells: Cells): Destination | null {
  const corridor = (cells.beneficiary_key ?? '') === '' ? corridorOf(cells) : null;
  const entityType = cells.beneficiary_entity_type ?? '';
  return corridor === null || entityType === '' ? null : { corridor, entityType };
}
