import fc from 'fast-check';
import { conversionStatuses } from '../../sandbox/account/conversion.ts';
import { paymentStatuses } from '../../sandbox/account/simple-payment.ts';
import { defaultAccount } from '../../sandbox/config/accounts.ts';
import { aGermanCompany, anInstruction, type Caller } from './a-sandbox.ts';

/** One call, made in the same way to any sandbox: its identifiers come from earlier answers. */
export type Step = (caller: Caller, known: Known) => Promise<string>;

/** The identifiers in answers, by field, in the order of the answers. */
export class Known {
  readonly #ids = new Map<string, string[]>();

  all(field: string): readonly string[] {
    return this.#ids.get(field) ?? [];
  }

  /** One of them, 0 is the latest; an unknown identifier when there is none yet. */
  pick(field: string, which: number): string {
    const ids = this.all(field);
    return ids.at(-1 - (which % Math.max(1, ids.length))) ?? 'none';
  }

  /** Stores the identifiers of an answer, and returns its text without the base URL, which differs between starts. */
  learn(text: string): string {
    const bare = text.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '');
    // A document's field is called id, as in other resources.
    const named = bare.replaceAll(/"id":("[^"]+","documentType")/g, '"documentId":$1');
    for (const [, field = '', id = ''] of named.matchAll(/"(\w*(?:Id|token|Url|id))":"([^"]+)"/g)) {
      const ids = this.#ids.get(field) ?? [];
      if (!ids.includes(id)) this.#ids.set(field, [...ids, id]);
    }
    return bare;
  }
}

/** Performs the step and returns the answer. */
export async function take(step: Step, caller: Caller, known: Known): Promise<string> {
  return known.learn(await step(caller, known));
}

const call = async (caller: Caller, method: string, path: string, body?: unknown, headers = {}): Promise<string> => {
  const { status, text } = await caller.send(method, path, body, headers);
  return `${status} ${text}`;
};
const post =
  (path: string, bodyOf: (known: Known) => unknown): Step =>
  (caller, known) =>
    call(caller, 'POST', path, bodyOf(known));

const which = fc.nat(3);
const oneOfTwo = fc.nat(1);
const signUpNames = fc.nat(30);
const aPerson = { firstName: 'Mei', lastName: 'Tan', accountType: 'individual' };
const aConversion = { sellCurrency: 'USD', buyCurrency: 'JPY', fixedSide: 'sell' };
const anAccount = {
  name: 'Rent',
  provider: 'one',
  currency: 'IDR',
  description: 'x',
  type: 'fixed',
  expiryDuration: 2,
};

export const signIn: Step = async (caller) => {
  await caller.signIn();
  return `"token":"${caller.token}"`;
};

const pay =
  (n: number, amount: string): Step =>
  async (caller, known) => {
    const order = `{"beneficiaryId":"${known.pick('beneficiaryId', n)}","sellCurrency":"USD","buyCurrency":"EUR"`;
    const quoted = known.learn(await call(caller, 'POST', '/simple-payments/v1/quote', `${order},"amount":${amount}}`));
    const quoteId = /"quoteId":"([^"]+)"/.exec(quoted)?.[1] ?? 'none';
    const create = { ...anInstruction, quoteId, referenceId: `row-${n}` };
    return quoted + (await call(caller, 'POST', '/simple-payments/v1/create', create));
  };

const upload =
  (n: number, text: string): Step =>
  (caller, known) =>
    call(caller, 'PUT', known.pick('uploadUrl', n).replace('none', '/storage/none'), text, {
      'content-type': 'text/plain',
      'x-sandbox-storage-class': 'STANDARD',
    });

const document =
  (n: number, m: number, method: string): Step =>
  (caller, known) => {
    const path = `/v2/users/${known.pick('userId', n)}/documents`;
    const body = { documentType: 'passport', documentName: `page ${m}` };
    if (method === 'POST') return call(caller, method, path, body);
    return call(caller, method, `${path}/${known.pick('documentId', m)}`, method === 'PATCH' ? body : undefined);
  };

const updateUser =
  (n: number): Step =>
  (caller, known) => {
    const details = { mobileCountryCode: '+65', mobileNumber: `9${n}`, formerName: null };
    return call(caller, 'PATCH', `/v2/users/${known.pick('userId', n)}/detail`, details);
  };

const advance = (advanceMs: number): Step => post('/__sandbox/clock', () => ({ advanceMs }));
const aBeneficiary = (n: number): Step =>
  post('/beneficiaries/v1/create', () => ({ ...aGermanCompany, nickname: `p ${n}` }));
const fund = (n: number): Step =>
  post('/simple-payments/v1/fund', (k) => ({ simplePaymentId: k.pick('simplePaymentId', n) }));
const quoteConversion = (n: number): Step =>
  post('/conversions/v1/quote', () => ({ ...aConversion, amount: 1000 + n }));
const convert = (n: number): Step => post('/conversions/v1/create', (k) => ({ quoteId: k.pick('quoteId', n) }));
const signUp = (n: number): Step =>
  post('/v2/signup', () => ({ ...aPerson, email: `p${n}@example.com`, countryCode: 'SG' }));
const requestAccount = (n: number): Step =>
  post('/virtual-accounts/v1/requests/create', () => ({ ...anAccount, amount: 10_000 + n }));

/** Creates one resource of every kind, for the following steps. */
export const initialSteps: readonly Step[] = [
  signIn,
  aBeneficiary(9),
  pay(0, '70.13'),
  fund(0),
  quoteConversion(9),
  convert(0),
  signUp(99),
  document(0, 0, 'POST'),
  upload(0, 'first page'),
  requestAccount(9),
  advance(2500),
];

const operatorSteps = fc.oneof(
  fc
    .tuple(which, fc.constantFrom(...paymentStatuses))
    .map(([n, status]) => post('/__sandbox/force', (k) => ({ simplePaymentId: k.pick('simplePaymentId', n), status }))),
  fc
    .tuple(which, fc.constantFrom(...conversionStatuses))
    .map(([n, status]) => post('/__sandbox/force', (k) => ({ conversionId: k.pick('conversionId', n), status }))),
  which.map((n) => post('/__sandbox/force', (k) => ({ requestId: k.pick('requestId', n), status: 'approved' }))),
  which.map((n) => post('/__sandbox/deposits', (k) => ({ requestId: k.pick('requestId', n), amount: '50000.00' }))),
  which.map((n) => post('/__sandbox/fundings', () => ({ currency: 'EUR', amount: `${n}.50` }))),
  which.map((n) => post('/__sandbox/refunds', (k) => ({ simplePaymentId: k.pick('simplePaymentId', n) }))),
  which.map((n) => post('/__sandbox/screenings', (k) => ({ userId: k.pick('userId', n), outcome: 'approved' }))),
  which.map((n) => post('/__sandbox/balance', () => ({ currency: 'USD', credit: `${n}.25` }))),
  fc.integer({ min: 0, max: 9000 }).map(advance),
);

const callerSteps = fc.oneof(
  fc.constant(signIn),
  fc.constant(post('/users/v1/logout', () => ({}))),
  fc.constant(post('/users/v1/authenticate', () => ({ accessKeyId: 'wrong', secretAccessKey: 'wrong' }))),
  which.map(aBeneficiary),
  which.map(
    (n): Step =>
      (caller, k) =>
        call(caller, 'DELETE', `/beneficiaries/v1/item/${k.pick('beneficiaryId', n)}`),
  ),
  which.map(fund),
  which.map(quoteConversion),
  which.map(convert),
  which.map((n) => post('/conversions/v1/fund', (k) => ({ conversionId: k.pick('conversionId', n) }))),
  signUpNames.map(signUp),
  signUpNames.map((n) =>
    post('/users/v1/signup', () => {
      return { ...aPerson, email: `p${n}@example.com`, country: 'SG', password: 'secret12', products: 'fx' };
    }),
  ),
  which.map(requestAccount),
  which.map(
    (n): Step =>
      (caller, k) =>
        call(caller, 'POST', `/v2/users/${k.pick('userId', n)}/screen`),
  ),
  which.map((n) => post('/simple-payments/v1/get-upload-url', () => ({ fileName: `file ${n}` }))),
);

const methods = fc.constantFrom('POST', 'PATCH', 'PATCH', 'DELETE');

const resets = fc.constantFrom(
  post('/__sandbox/reset', () => ({})),
  post(`/__sandbox/reset?key=${defaultAccount.apiKey}`, () => ({})),
  post('/__sandbox/reset?key=second', () => ({})),
);

/** Any call of a sandbox. */
export const steps = fc.oneof(
  { arbitrary: callerSteps, weight: 20 },
  {
    arbitrary: fc.tuple(which, fc.constantFrom('100.00', '250.13', '99.14', '1e2')).map((of) => pay(...of)),
    weight: 8,
  },
  { arbitrary: operatorSteps, weight: 14 },
  { arbitrary: fc.tuple(oneOfTwo, oneOfTwo, methods).map((of) => document(...of)), weight: 6 },
  { arbitrary: fc.tuple(which, fc.string({ maxLength: 20 })).map((of) => upload(...of)), weight: 4 },
  { arbitrary: which.map(updateUser), weight: 2 },
  { arbitrary: resets, weight: 1 },
);
