import Big from 'big.js';
import { format, getFormatInfo, isDateFormat, isTextFormat } from 'numfmt';

/** How a cell shows a number. */
export interface CellFormat {
  code: string;
  isDate: boolean;
  /** As the sheet shows the number; null: it cannot. */
  show(value: number): string | null;
  /** Whether the sheet shows another number than the cell holds. */
  isRounded(value: number, shown: string): boolean;
}

const LONGEST_CODE = 255;

export const GENERAL = 'General';

/** A code that no program can read shows numbers as if it were absent. */
export function cellFormat(code: string): CellFormat {
  const known = code.length <= LONGEST_CODE && shownBy(code, 1) !== null ? code : GENERAL;
  const info = getFormatInfo(known);
  const isFixed = ['number', 'grouped', 'currency', 'percent'].includes(info.type);
  const decimals = info.maxDecimals + Math.round(Math.log10(info.scale || 1));
  return {
    code: known,
    isDate: isDateFormat(known),
    show: (value) => shownBy(known, value),
    isRounded: (value, shown) => {
      if (!/\d/.test(shown)) return true;
      if (isTextFormat(known)) return false;
      const held = Number(value.toPrecision(EXACT_DIGITS));
      return isFixed ? decimalsOf(held) > decimals : Number(shown) !== held && known === GENERAL;
    },
  };
}

/** More digits than these no spreadsheet shows: what follows is left by calculations. */
export const EXACT_DIGITS = 15;

function shownBy(code: string, value: number): string | null {
  try {
    return format(code, value).trim();
  } catch {
    return null;
  }
}

/** The shortest decimal that is the number, without an exponent. */
export function exactDecimal(value: number): string {
  const text = String(value === 0 ? 0 : value);
  return text.includes('e') ? new Big(text).toFixed() : text;
}

function decimalsOf(value: number): number {
  const text = exactDecimal(value);
  const point = text.indexOf('.');
  return point === -1 ? 0 : text.length - point - 1;
}

/** The digits that count: none of the zeros before the first other one, or after the last. */
export function significantDigits(value: number): number {
  return exactDecimal(value)
    .replace(/^-?0*\.?0*|\./g, '')
    .replace(/0+$/, '').length;
}
