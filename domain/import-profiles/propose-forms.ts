import { withoutCurrencyMarks } from './currency-marks.ts';
import { AMOUNT_FORMS, OWN_AMOUNT_FORM, OWN_DATE_FORM } from './forms.ts';
import type { AmountForm, DateForm } from './profile.ts';
import { readAmount } from './read-amount.ts';
import { readDate } from './read-date.ts';

/** A cell of the samples that is a text: what has a value of its own needs no form. */
export interface SampleCell {
  line: number;
  cell: string;
}

/** A form that the samples may have, and three of them as it would read them: null, it would not. */
export interface Reading<Form> {
  form: Form;
  rows: { line: number; cell: string; read: string | null }[];
}

export interface ProposedForm<Form> {
  /** Null: no form reads the samples, or a person decides between the readings. */
  form: Form | null;
  /** The readings that are possible, with rows on which they differ. One alone is the form. */
  readings: Reading<Form>[];
}

const DATE_FORMS: readonly DateForm[] = ([4, 2] as const).flatMap((yearDigits) =>
  (['ymd', 'dmy', 'mdy'] as const).map((order) => ({ order, yearDigits })),
);

export function proposeAmountForm(samples: readonly SampleCell[]): ProposedForm<AmountForm> {
  // Numbers of a workbook need no form: what is typed later has ours.
  if (samples.length === 0) return { form: OWN_AMOUNT_FORM, readings: [] };
  const amounts = samples.map(({ line, cell }) => ({ line, cell, text: withoutCurrencyMarks(cell).text }));
  const readable = amounts.filter(({ text }) => AMOUNT_FORMS.some((form) => amountText(text, form) !== null));
  // Forms that read every sample alike are one: a comma that no amount has decides nothing.
  return decide(
    readable,
    AMOUNT_FORMS,
    ({ text }, form) => amountText(text, form),
    () => '',
  );
}

export function proposeDateForm(samples: readonly SampleCell[]): ProposedForm<DateForm> {
  if (samples.length === 0) return { form: OWN_DATE_FORM, readings: [] };
  const readable = samples.filter(({ cell }) => DATE_FORMS.some((form) => dateText(cell, form) !== null));
  // Another order is another reading, even if these days are the same: those of the next sheet are not.
  return decide(
    readable,
    DATE_FORMS,
    ({ cell }, form) => dateText(cell, form),
    ({ order }) => order,
  );
}

export function looksLikeAmount(cell: string): boolean {
  const { text } = withoutCurrencyMarks(cell);
  return AMOUNT_FORMS.some((form) => amountText(text, form) !== null);
}

export function looksLikeDate(cell: string): boolean {
  return DATE_FORMS.some((form) => dateText(cell, form) !== null);
}

function amountText(text: string, form: AmountForm): string | null {
  const read = readAmount(text, form, null);
  return 'text' in read ? read.text : null;
}

function dateText(cell: string, form: DateForm): string | null {
  const read = readDate(cell, form);
  return 'text' in read ? read.text : null;
}

const ENOUGH = 0.8;
const SHOWN_ROWS = 3;

/** Forms that read every sample; where none does, those that read nearly as many as the best. */
function decide<Form, Sample extends SampleCell>(
  samples: readonly Sample[],
  forms: readonly Form[],
  readSample: (sample: Sample, form: Form) => string | null,
  kindOf: (form: Form) => string,
): ProposedForm<Form> {
  const tried = forms.map((form) => {
    const texts = samples.map((sample) => readSample(sample, form));
    return { form, texts, count: texts.filter((text) => text !== null).length };
  });
  const most = Math.max(0, ...tried.map(({ count }) => count));
  if (most === 0) return { form: null, readings: [] };
  const atLeast = most === samples.length ? most : most * ENOUGH;
  const possible = tried.filter(({ count }) => count >= atLeast).sort((a, b) => b.count - a.count);
  const distinct = possible.filter(({ form, texts }, index) =>
    possible.slice(0, index).every((other) => kindOf(other.form) !== kindOf(form) || !isSameOrLess(texts, other.texts)),
  );
  const differing = samples.flatMap((_, index) =>
    distinct.some(({ texts }) => texts[index] !== distinct[0]?.texts[index]) ? [index] : [],
  );
  const shown = [...new Set([...differing, ...samples.keys()])].slice(0, SHOWN_ROWS);
  const readings = distinct.map(({ form, texts }) => ({
    form,
    rows: shown.flatMap((index) => {
      const sample = samples[index];
      return sample === undefined ? [] : [{ line: sample.line, cell: sample.cell, read: texts[index] ?? null }];
    }),
  }));
  return { form: distinct.length === 1 ? (distinct[0]?.form ?? null) : null, readings };
}

/** Reads nothing that the other form does not read alike. */
function isSameOrLess(texts: readonly (string | null)[], others: readonly (string | null)[]): boolean {
  return texts.every((text, index) => text === null || text === others[index]);
}
