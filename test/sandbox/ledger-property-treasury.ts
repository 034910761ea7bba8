import { expect } from 'vitest';
import { asText } from './a-sandbox.ts';
import { type Book, type ConversionNote, inMajor, pick } from './ledger-property-book.ts';
import type { Json } from './ledger-property-caller.ts';
import type { Step } from './ledger-property-steps.ts';

type StepOf<Name extends Step['do']> = Extract<Step, { do: Name }>;

/** Returns whether there is a new quote. */
export async function quoteConversion(book: Book, asked: Omit<StepOf<'convert'>, 'do' | 'fund'>): Promise<boolean> {
  const { sell, buy, minor, side } = asked;
  const outcome = await book.caller.send('/conversions/v1/quote', {
    sellCurrency: sell,
    buyCurrency: buy,
    amount: Number(inMajor(minor, side === 'sell' ? sell : buy)),
    fixedSide: side,
  });
  if (outcome.kind !== 'done') return false;
  book.conversionQuotes.push({ id: asText(outcome.body['data']!['quoteId']) });
  return true;
}

export async function createConversion(book: Book, which: number): Promise<ConversionNote | null> {
  const quote = pick(book.conversionQuotes, which);
  if (!quote) return null;
  const outcome = await book.caller.send('/conversions/v1/create', { quoteId: quote.id });
  if (outcome.kind === 'not_done') return null;
  if (outcome.kind === 'done') return keep(book, outcome.body['data']!);
  book.openConversions += 1;
  const found = (await book.caller.read('/conversions/v1/find', {}))['data'] as unknown as Json[];
  const unknown = found.filter(({ conversionId }) => !book.conversions.has(asText(conversionId)));
  expect(unknown.length).toBeLessThanOrEqual(book.openConversions);
  book.openConversions -= unknown.length;
  return unknown.map((answer) => keep(book, answer)).at(-1) ?? null;
}

function keep(book: Book, answer: Json): ConversionNote {
  const text = (name: string): string => asText(answer[name]);
  const note = {
    id: text('conversionId'),
    sell: text('sellCurrency'),
    totalAmount: text('totalAmount'),
    buy: text('buyCurrency'),
    buyAmount: text('buyAmount'),
    debits: 0,
    wasCompleted: false,
  };
  expect(book.conversions.has(note.id), 'a creation answers a conversion of its own').toBe(false);
  book.conversions.set(note.id, note);
  return note;
}

/** The status of a conversion does not show whether it was funded; the balance history does. */
export async function fundConversion(book: Book, note: ConversionNote | null, atOnce: number): Promise<void> {
  if (!note || atOnce === 0) return;
  const { caller } = book;
  const debited = async (): Promise<number> => {
    const entries = (await caller.read('/balances/v1/history', {}))['data'] as unknown as Json[];
    return entries.filter(({ transactionType }) => asText(transactionType) === 'conversion').length;
  };
  const before = await debited();
  const attempts = Array.from({ length: atOnce }, () => caller.send('/conversions/v1/fund', { conversionId: note.id }));
  const kinds = (await Promise.all(attempts)).map(({ kind }) => kind);
  const took = (await debited()) - before;
  const done = kinds.filter((kind) => kind === 'done').length;
  expect(took).toBeLessThanOrEqual(1);
  expect(done).toBeLessThanOrEqual(took);
  if (!kinds.includes('open')) expect(done).toBe(took);
  note.debits += took;
}

export async function forceConversion(book: Book, { which, status }: StepOf<'forceConversion'>): Promise<void> {
  const note = pick(book.conversions.values(), which);
  if (!note) return;
  const forced = await book.caller.control('force', { conversionId: note.id, status });
  if (forced && status === 'completed') note.wasCompleted = true;
}

/** Sets a balance, and checks the result. */
export async function setBalance({ caller }: Book, { currency, minor }: StepOf<'setBalance'>): Promise<void> {
  const amount = inMajor(minor, currency);
  expect(await caller.control('balance', { currency, amount })).toEqual({ currency, amount });
}

export async function credit({ caller, deposits }: Book, { currency, minor }: StepOf<'credit'>): Promise<void> {
  const amount = inMajor(minor, currency);
  if (await caller.control('balance', { currency, credit: amount })) deposits.push({ currency, amount });
}

export async function receive({ caller, fundings }: Book, step: StepOf<'receive'>): Promise<void> {
  const { currency, status } = step;
  const amount = inMajor(step.minor, currency);
  const made = await caller.control('fundings', { currency, amount, status });
  if (made) fundings.set(asText(made['fundingId']), { currency, amount, wasCompleted: status === 'completed' });
}

export async function forceFunding(book: Book, { which, status }: StepOf<'forceFunding'>): Promise<void> {
  const fundingId = pick([...book.fundings.keys(), ...book.reports.keys()], which);
  if (fundingId === undefined) return;
  const forced = await book.caller.control('force', { fundingId, status });
  const note = book.fundings.get(fundingId);
  if (forced && note && status === 'completed') note.wasCompleted = true;
}

/** Adds a deposit on a virtual account; a funding that reports it as well must not credit it again. */
export async function deposit(book: Book, step: StepOf<'deposit'>): Promise<void> {
  const { currency, status, reportedAsFunding } = step;
  const requestId = await virtualAccountIn(book, currency);
  if (requestId === null) return;
  const amount = inMajor(step.minor, currency);
  const made = await book.caller.control('deposits', { requestId, amount, status, reportedAsFunding });
  if (made && status === 'completed') book.deposits.push({ currency, amount });
  if (made?.['fundingId']) book.reports.set(asText(made['fundingId']), status === 'completed');
}

async function virtualAccountIn({ caller, virtualAccounts }: Book, currency: string): Promise<string | null> {
  const known = virtualAccounts.get(currency);
  if (known !== undefined) return known;
  const order = { name: 'Rent', provider: 'bank-a', currency, description: 'Rent', type: 'open' };
  const outcome = await caller.send('/virtual-accounts/v1/requests/create', { ...order, approveAsync: false });
  if (outcome.kind !== 'done') return null;
  const requestId = asText(outcome.body['data']!['requestId']);
  await caller.control('force', { requestId, status: 'approved' });
  virtualAccounts.set(currency, requestId);
  return requestId;
}
