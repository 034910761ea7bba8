import Big from 'big.js';
import { format, type FormatInfo, getFormatInfo, isDateFormat } from 'numfmt';

/** How a cell shows a number. */
export interface CellFormat {
  isDate: boolean;
  /** As the sheet shows the number; null: it cannot. */
  show(value: number): string | null;
  /** Whether the sheet shows another number than the cell holds. */
  isOther(value: number, shown: string): boolean;
}

const LONGEST_CODE = 255;

export const GENERAL = 'General';

/** A code that no program can read shows numbers as if it were absent. */
export function cellFormat(code: string): CellFormat {
  const known = code.length <= LONGEST_CODE && shownBy(code, 1) !== null ? code : GENERAL;
  const info = getFormatInfo(known);
  const isFixed = ['number', 'grouped', 'currency', 'percent'].includes(info.type);
  return {
    isDate: isDateFormat(known),
    show: (value) => shownBy(known, value),
    isOther: (value, shown) => {
      const held = Number(value.toPrecision(EXACT_DIGITS));
      return isFixed ? digitsOf(shown) !== expectedDigits(held, info) : Number(shown) !== held;
    },
  };
}

/**
 * The digits that show all of a number; null: no such format can. A format may show anything, even digits that are its own, so what is
 * shown is compared with them.
 */
function expectedDigits(held: number, { scale, minDecimals, maxDecimals }: FormatInfo): string | null {
  const [whole = '', part = ''] = exactDecimal(Math.abs(held)).split('.');
  const shift = Math.round(Math.log10(scale || 1));
  const decimals = Math.max(0, part.length - shift);
  if (shift < 0 || decimals > maxDecimals) return null;
  const digits = whole + part.padEnd(shift + Math.max(decimals, minDecimals), '0');
  return digits.replace(/^0+/, '');
}

function digitsOf(shown: string): string {
  return shown.replace(/\D/g, '').replace(/^0+/, '');
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
