import Big from 'big.js';
import { expect } from 'vitest';
import { aGermanCompany, anInstruction, asText } from './a-sandbox.ts';
import { type Book, inMajor, type PaymentNote, pick } from './ledger-property-book.ts';
import type { Json } from './ledger-property-caller.ts';
import type { Step } from './ledger-property-steps.ts';
import { aCompanyIn, sampleCodes } from './sample-accounts.ts';

type StepOf<Name extends Step['do']> = Extract<Step, { do: Name }>;

type Terms = Pick<StepOf<'createFromOldQuote'>, 'reference' | 'unique'>;

const bankCountries: Readonly<Record<string, string>> = { USD: 'US', EUR: 'DE', JPY: 'JP', KWD: 'KW' };

export async function addBeneficiary(
  { caller, beneficiaries }: Book,
  { currency, name }: StepOf<'addBeneficiary'>,
): Promise<void> {
  const country = bankCountries[currency] ?? 'DE';
  const companyName = `${name} Supplies`;
  const company =
    country === 'DE'
      ? { ...aGermanCompany, companyName }
      : { ...aCompanyIn(country, { currency, country, ...sampleCodes(country, 'LOCAL') }), companyName };
  const outcome = await caller.send('/beneficiaries/v1/create', company);
  if (outcome.kind === 'done') beneficiaries.push({ id: asText(outcome.body['data']!['beneficiaryId']), currency });
}

export async function removeBeneficiary(
  { caller, beneficiaries }: Book,
  { which }: StepOf<'removeBeneficiary'>,
): Promise<void> {
  const beneficiary = pick(beneficiaries, which);
  if (beneficiary) await caller.send(`/beneficiaries/v1/item/${beneficiary.id}`, undefined, 'DELETE');
}

/** Returns whether there is a new quote; checks that its total is exactly the sum of its parts. */
export async function quote(book: Book, asked: Omit<StepOf<'quote'>, 'do'>): Promise<boolean> {
  const beneficiary = pick(book.beneficiaries, asked.beneficiary);
  if (!beneficiary) return false;
  const { sell, side, channel, partner } = asked;
  const outcome = await book.caller.send('/simple-payments/v1/quote', {
    beneficiaryId: beneficiary.id,
    sellCurrency: sell,
    buyCurrency: beneficiary.currency,
    amount: Number(inMajor(asked.minor, side === 'sell' ? sell : beneficiary.currency)),
    fixedSide: side,
    paymentChannel: channel,
    ...(partner ? { partner: { fee: partner.fee / 1000, markup: partner.markup } } : {}),
  });
  if (outcome.kind !== 'done') return false;
  const answer = outcome.body['data']!;
  const [sellAmount, fee, charges] = ['sellAmount', 'totalFee', 'bankCharges'].map((part) => asText(answer[part]));
  const sum = new Big(sellAmount!).plus(fee!).plus(charges!);
  expect(sum.eq(asText(answer['totalAmount'])), 'a quote is the sum of its parts').toBe(true);
  book.quotes.push({ id: asText(answer['quoteId']), totalAmount: asText(answer['totalAmount']), isUsed: false });
  return true;
}

/** Creates a payment from a quote, possibly used or expired; after a lost answer it looks the payment up. */
export async function create(book: Book, which: number, { reference, unique }: Terms): Promise<PaymentNote | null> {
  const from = pick(book.quotes, which);
  if (!from) return null;
  const referenceId = reference ?? `own-${++book.references}`;
  const order = { ...anInstruction, quoteId: from.id, referenceId, uniqueReferenceId: unique };
  const outcome = await book.caller.send('/simple-payments/v1/create', order);
  if (outcome.kind === 'not_done') return null;
  if (outcome.kind === 'open') {
    book.openPayments += 1;
    const found = await getByReference(book);
    from.isUsed ||= found !== null;
    return found;
  }
  const answer = outcome.body['data']!;
  const known = book.payments.get(asText(answer['simplePaymentId']));
  if (!known) {
    expect(answer['totalAmount'], 'the total of a payment is that of its quote').toBe(from.totalAmount);
    expect(from.isUsed, 'a quote is used once').toBe(false);
    from.isUsed = true;
    return keep(book, answer);
  }
  expect([book.options.duplicateReference, unique]).toEqual(['return', true]);
  return known;
}

/** Finds the payment of a creation with a lost answer: an unknown one, or none. */
async function getByReference(book: Book): Promise<PaymentNote | null> {
  const found = (await book.caller.read('/simple-payments/v1/find', {}))['data'] as unknown as Json[];
  const unknown = found.filter(({ simplePaymentId }) => !book.payments.has(asText(simplePaymentId)));
  expect(unknown.length).toBeLessThanOrEqual(book.openPayments);
  book.openPayments -= unknown.length;
  return unknown.map((answer) => keep(book, answer)).at(-1) ?? null;
}

function keep(book: Book, answer: Json): PaymentNote {
  const [id, sell, totalAmount] = ['simplePaymentId', 'sellCurrency', 'totalAmount'].map((name) =>
    asText(answer[name]),
  );
  const note = { id: id!, sell: sell!, totalAmount: totalAmount!, debits: 0 };
  book.payments.set(note.id, note);
  return note;
}

/**
 * Funds a payment, possibly several times at once. At most one request succeeds; when none does and an answer was lost,
 * the payment's status shows whether it was funded.
 */
export async function fund({ caller }: Book, note: PaymentNote | null | undefined, atOnce: number): Promise<void> {
  if (!note || atOnce === 0) return;
  const statusNow = async (): Promise<unknown> =>
    (await caller.read(`/simple-payments/v1/item/${note.id}`))['data']!['status'];
  const before = await statusNow();
  const attempts = Array.from({ length: atOnce }, () =>
    caller.send('/simple-payments/v1/fund', { simplePaymentId: note.id }),
  );
  const kinds = (await Promise.all(attempts)).map(({ kind }) => kind);
  const [done, open] = [kinds.filter((kind) => kind === 'done').length, kinds.includes('open')];
  const tookEffect = before === 'awaiting_funds' && (await statusNow()) !== 'awaiting_funds';
  if (tookEffect) note.debits += 1;
  if (!tookEffect || !open) expect(done, 'successful fundings').toBe(tookEffect ? 1 : 0);
  expect(done).toBeLessThanOrEqual(1);
}

export async function forcePayment(book: Book, { which, status }: StepOf<'forcePayment'>): Promise<void> {
  const note = pick(book.payments.values(), which);
  if (!note) return;
  const forced = await book.caller.control('force', { simplePaymentId: note.id, status });
  if (forced && status === 'awaiting_funds' && note.debits > 0) book.wasForcedBack = true;
}

/** Refunds a payment manually in any status. */
export async function refund(book: Book, { which, status }: StepOf<'refund'>): Promise<void> {
  const note = pick(book.payments.values(), which);
  if (!note) return;
  const made = await book.caller.control('refunds', { simplePaymentId: note.id, status });
  if (made)
    book.refundsByHand.set(asText(made['refundId']), { isAutomatic: false, wasCompleted: status === 'completed' });
}

export async function forceRefund(book: Book, { which, status }: StepOf<'forceRefund'>): Promise<void> {
  const { caller, refundsByHand } = book;
  const listed = (await caller.read('/v2/refunds'))['value'] as unknown as Json[];
  const refundId = asText(pick(listed.toReversed(), which)?.['id']);
  const forced = await caller.control('force', { refundId, status });
  if (!forced) return;
  const { isAutomatic, wasCompleted } = refundsByHand.get(refundId) ?? { isAutomatic: true, wasCompleted: false };
  refundsByHand.set(refundId, { isAutomatic, wasCompleted: wasCompleted || status === 'completed' });
}
