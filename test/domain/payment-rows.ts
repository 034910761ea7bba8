import { type CheckContext, type CheckedRow, rowChecker } from '../../domain/payment-file/check-rows.ts';
import { corridorOf } from '../../domain/payment-file/corridors.ts';
import type { PaymentInstruction } from '../../domain/payments/payment-instruction.ts';
import type { Cells, RawRow } from '../../domain/payment-file/raw-row.ts';
import {
  type Corridor,
  corridorKey,
  type ReferenceData,
  type RequirementSet,
} from '../../domain/payment-file/reference-data.ts';
import type { RowProblem } from '../../domain/payment-file/row-problem.ts';
import { RowRefs } from '../../domain/payment-file/row-refs.ts';

const payment: Cells = {
  row_ref: 'INV-1',
  amount: '1250.00',
  amount_side: 'buy',
  sell_currency: 'USD',
  buy_currency: 'EUR',
  payment_reference: 'Invoice 1',
  purpose_of_transfer: 'SUPP',
  funding_source: 'COMPANY_BANK_ACCOUNT',
  funding_method: 'PAYNOW',
};

const beneficiary: Cells = {
  beneficiary_entity_type: 'company',
  beneficiary_country: 'DE',
  beneficiary_company_name: 'Nordlicht Werkzeuge GmbH',
  beneficiary_postcode: '01067',
  bank_country: 'DE',
  bank_name: 'Hansebank',
  bank_account_holder_name: 'Nordlicht Werkzeuge GmbH',
  bank_iban: 'DE89370400440532013000',
};

/** A valid row with some cells changed; an undefined cell is empty. */
export function aRow(changes: Cells = {}, line = 2): RawRow {
  return { line, cells: filled({ ...payment, ...beneficiary, ...changes }), original: [], unread: [] };
}

/** The same, with a beneficiary named by id. */
export function aRowToKnown(changes: Cells = {}, line = 2): RawRow {
  return { line, cells: filled({ ...payment, beneficiary_id: 'ben_1', ...changes }), original: [], unread: [] };
}

function filled(cells: Cells): Cells {
  const entries: [string, string | undefined][] = Object.entries(cells);
  return Object.fromEntries(entries.filter(([, cell]) => cell !== undefined));
}

export const germanCompany: RequirementSet = {
  entityType: 'company',
  fields: { country: '^DE$', companyName: '^.{1,140}$', postcode: '^[0-9]{5}$' },
  bankAccount: { currency: '^EUR$', bankName: '^.{2,140}$', iban: '^DE[0-9]{20}$' },
};

export function aReference(changes: Partial<ReferenceData> = {}): ReferenceData {
  const decimals = { EUR: 2, USD: 2, JPY: 0, KWD: 3, IDR: 2 };
  return {
    currencies: new Map(
      Object.entries(decimals).map(([code, decimalPlaces]) => [code, { code, decimalPlaces, name: code }]),
    ),
    pairs: new Set(['EURUSD', 'JPYUSD', 'KWDUSD', 'IDRUSD']),
    localCurrencies: new Set(['EUR-DE']),
    requirements: new Map([
      ['EUR/DE/DE', [germanCompany]],
      ['IDR/ID/ID', [{ entityType: 'company', fields: {}, bankAccount: {} }]],
      ['EUR/ID/DE', [{ entityType: 'company', fields: {}, bankAccount: {} }]],
      ['EUR/FR/DE', []],
    ]),
    ...changes,
  };
}

/** The same, with other requirements for the corridor of `aRow`. */
export function requiring(...sets: RequirementSet[]): ReferenceData {
  return aReference({ requirements: new Map([['EUR/DE/DE', sets]]) });
}

/** The results for some rows, in their order. */
export interface CheckedRows {
  valid: PaymentInstruction[];
  problems: RowProblem[];
  warnings: RowProblem[];
}

/** Checks rows as those of one file. */
export function checkRows(rows: readonly RawRow[], context: CheckContext): CheckedRow[] {
  const rowRefs = new RowRefs();
  for (const row of rows) rowRefs.add(row);
  return rows.map(rowChecker(context, rowRefs));
}

/** Each once. */
export function corridorsOf(rows: readonly RawRow[]): Corridor[] {
  const corridors = rows.map(({ cells }) => corridorOf(cells)).filter((corridor) => corridor !== null);
  return [...new Map(corridors.map((corridor) => [corridorKey(corridor), corridor])).values()];
}

export function check(rows: RawRow | RawRow[], context: Partial<CheckContext> = {}): CheckedRows {
  const given = { reference: aReference(), book: new Map(), files: new Map(), today: '2026-04-10', ...context };
  const checked = checkRows(Array.isArray(rows) ? rows : [rows], given);
  return {
    valid: checked.flatMap(({ instruction }) => (instruction === null ? [] : [instruction])),
    problems: checked.flatMap(({ problems }) => problems),
    warnings: checked.flatMap(({ warnings }) => warnings),
  };
}

/** Column and code of each problem. */
export function found(checked: CheckedRows): string[] {
  return checked.problems.map((problem) => `${problem.column ?? ''} ${problem.code}`);
}
