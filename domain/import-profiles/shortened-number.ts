const SHORTENED_NUMBER = /^-?[\d.,]+E[+-]?\d+$/i;
/** More digits a spreadsheet does not keep. */
const WHOLE_NUMBER = /^\d{1,15}$/;

/** Whether a workbook shows a number in a form that hides digits: a narrow column, or General beyond 11 digits. */
export function isShortened(shown: string): boolean {
  return SHORTENED_NUMBER.test(shown.trim()) || /^#+$/.test(shown.trim());
}

/** A shortened whole number as the workbook holds it, with all of its digits; null: it is none, or they are lost. */
export function wholeNumber(shown: string, value: string | null): string | null {
  return value !== null && isShortened(shown) && WHOLE_NUMBER.test(value) ? value : null;
}
