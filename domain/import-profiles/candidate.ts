import type { PaymentColumn } from '../payment-file/csv-columns.ts';
import type { Cells } from '../payment-file/raw-row.ts';
import type { ColumnSource } from './profile.ts';
import type { SheetRecord } from './sheet-record.ts';

/** What may fill a column, and why. */
export interface Candidate {
  source: ColumnSource;
  /** By the header, by what the cells are, by both, or known without the sheet. */
  why: 'header' | 'contents' | 'both' | 'known';
  /** Not sure: it is to be looked at. */
  isSure: boolean;
  /** A sentence for the person who decides. */
  reason: string;
}

export interface ProposedColumn {
  column: PaymentColumn;
  /** The best first. */
  candidates: Candidate[];
  /** The first one is clearly better than the others, and in the profile. Else a person decides, and it is not. */
  isDecided: boolean;
}

export interface NamedSamples {
  names: readonly string[];
  /** The more, the better: forms are decided by what these rows show. */
  records: readonly SheetRecord[];
  /** What is the same for every row as far as is known, such as the account's sell currency. */
  constants: Cells;
  /** What the last approved run of the account was paid from; absent or null: it is not known. */
  lastSellCurrency?: string | null;
}

/** A header with its filled cells, and how well it fits a column: the more points, the better. */
export interface Fit {
  header: string;
  cells: readonly string[];
  points: number;
  /** The header is a word for the column itself, and not for another one that fills it as well. */
  isItself: boolean;
  why: Candidate['why'];
  isSure: boolean;
  /** It may as well fill nothing, or not be what it seems, so that a person decides even where it is the only one. */
  isOptional: boolean;
  reason: string;
}
