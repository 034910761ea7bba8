/** What a person may have meant by a text that they search rows by. */
export interface SearchedRow {
  /** In lower case, as names are compared. */
  name: string;
  reference: string;
  line: number | null;
  /** A decimal string. */
  amount: string | null;
  /** The last characters of an account number, as they are written. */
  accountEnd: string | null;
}

const LINE = /^\d{1,9}$/;
/** Plain, or with one sort of separator between thousands: `1,234.50`, `1 234.50`, `1'234.50`, `1234`. */
const POINT_AMOUNT = /^\d{1,3}(?:([, '’])\d{3})?(?:\1\d{3})*(?:\.\d{1,4})?$|^\d{1,15}(?:\.\d{1,4})?$/;
/** `1.234,50` and `1234,50`: a comma with three digits after it is read as one between thousands. */
const COMMA_AMOUNT = /^(?:\d{1,3}(?:\.\d{3})+|\d{1,15})(?:,(?:\d{1,2}|\d{4}))?$/;
const ACCOUNT_END = /^[0-9A-Z]{4}$/i;

export function searchedRow(text: string): SearchedRow {
  const trimmed = text.trim();
  return {
    name: trimmed.toLowerCase(),
    reference: trimmed,
    line: LINE.test(trimmed) ? Number(trimmed) : null,
    amount: searchedAmount(trimmed),
    accountEnd: ACCOUNT_END.test(trimmed) ? trimmed.toUpperCase() : null,
  };
}

/** The amount as a decimal string, whether it is written the English, Swiss or German way; null: it is none. */
function searchedAmount(text: string): string | null {
  const bare = text.replace(/^[A-Z]{3} ?/i, '');
  if (POINT_AMOUNT.test(bare)) return bare.replaceAll(/[, '’]/g, '');
  if (COMMA_AMOUNT.test(bare)) return bare.replaceAll('.', '').replace(',', '.');
  return null;
}
