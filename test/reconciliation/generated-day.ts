import type { Fact } from '../../domain/reconciliation/fact.ts';
import type { HistoryLine } from './provider-model.ts';

/** A break as it was planted: of its type, with these facts, and with the entries that have these tags. */
export interface Planted {
  type: string;
  currency: string;
  facts: string[];
  tags: string[];
}

export interface GeneratedDay {
  lines: { line: HistoryLine; tag: string }[];
  facts: Fact[];
  listed: Fact[];
  balances: Record<string, { opening: string; closing: string }>;
  planted: Planted[];
  dayMs: number;
}
