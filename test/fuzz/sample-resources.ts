/** The answer of a call; `body` is any JSON, without types. */
export interface SampleAnswer {
  readonly status: number;
  readonly body: Loose;
}

interface Loose {
  readonly [key: string]: Loose;
}

/** Calls the sandbox with a valid token. */
export type Send = (method: string, path: string, body?: unknown) => Promise<SampleAnswer>;

/** Existing identifiers by the name of the parameter or field. */
export type SampleIds = Readonly<Record<string, readonly string[]>>;

const beneficiary = {
  country: 'DE',
  entityType: 'company',
  companyName: 'Beispiel GmbH',
  bankAccount: {
    country: 'DE',
    currency: 'EUR',
    bankName: 'Beispielbank',
    bankAccountHolderName: 'Beispiel GmbH',
    iban: 'DE89370400440532013000',
  },
};

const instruction = {
  fundingSource: 'COMPANY_BANK_ACCOUNT',
  paymentReference: 'Invoice 4711',
  purposeOfTransfer: 'SUPP',
  fundingMethod: 'PAYNOW',
};

const company = {
  countryOfIncorporation: 'SG',
  countryOfOperations: 'SG',
  businessType: 'Education',
  companyAddress: '1 Example Road',
  postalCode: 18956,
  state: 'Central',
  city: 'Singapore',
  registrationNumber: '200000000X',
  incorporationDate: '29-02-2000',
};

/**
 * Creates one resource of every kind with the API, and reads and lists each.
 * @throws Error that names the call that was not answered with 200
 */
export async function makeSamples(send: Send): Promise<SampleIds> {
  const call = async (method: string, path: string, body?: unknown): Promise<Loose> => {
    const answer = await send(method, path, body);
    if (answer.status === 200) return answer.body;
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  };
  const post = (path: string, body?: unknown): Promise<Loose> => call('POST', path, body);
  const get = (path: string): Promise<Loose> => call('GET', path);
  await readLists(get, post);
  return {
    ...(await makeUsers(call)),
    ...(await makePayments(call)),
    ...(await makeConversions(post, get)),
    ...(await makeIncoming(post, get)),
  };
}

type Call = (method: string, path: string, body?: unknown) => Promise<Loose>;
type Post = (path: string, body?: unknown) => Promise<Loose>;
type Get = (path: string) => Promise<Loose>;

async function readLists(get: Get, post: Post): Promise<void> {
  for (const path of ['supported', 'pairs', 'rates/EURUSD']) await get(`/currencies/v1/${path}`);
  await get('/simple-payments/v1/supported-local-currencies');
  await get('/users/v1/countries');
  await post('/users/v1/forgot-password', { email: 'anna@example.com' });
  await post('/users/v1/signup/resend', { email: 'anna@example.com' });
  const corridor = { currency: 'EUR', bankAccountCountry: 'DE', beneficiaryCountry: 'DE' };
  await post('/beneficiaries/v1/requirements', corridor);
}

async function makeUsers(call: Call): Promise<SampleIds> {
  const person = { firstName: 'Mei', lastName: 'Tan', email: 'mei@example.com', accountType: 'company' };
  const { userId } = await call('POST', '/v2/signup', { ...person, countryCode: 'SG', companyName: 'Tan Trading' });
  const legacy = { ...person, email: 'mei.tan@example.com', password: 'secret123', products: 'fx', country: 'SG' };
  await call('POST', '/users/v1/signup', legacy);
  const { accountId } = await call('GET', `/v2/users/${text(userId)}`);
  const user = `/v2/users/${text(userId)}`;
  await call('PATCH', `/v2/company/${text(accountId)}`, company);
  await call('GET', `/v2/company/${text(accountId)}`);
  await call('PATCH', `${user}/detail`, { mobileCountryCode: '+65', mobileNumber: '81234567', gender: 'female' });
  await call('GET', `${user}/detail`);
  const described = { documentType: 'passport', documentName: 'passport.pdf' };
  const kept = await call('POST', `${user}/documents`, described);
  const deleted = await call('POST', `${user}/documents`, described);
  await call('PATCH', `${user}/documents/${text(kept['id'])}`);
  await call('GET', `${user}/documents/${text(kept['id'])}`);
  await call('GET', `${user}/documents`);
  await call('DELETE', `${user}/documents/${text(deleted['id'])}`);
  return { userId: [text(userId)], accountId: [text(accountId)], documentId: [text(kept['id'])] };
}

async function makePayments(call: Call): Promise<SampleIds> {
  const { data: created } = await call('POST', '/beneficiaries/v1/create', beneficiary);
  const { data: deleted } = await call('POST', '/beneficiaries/v1/create', beneficiary);
  const beneficiaryId = text(created!['beneficiaryId']);
  await call('GET', `/beneficiaries/v1/item/${beneficiaryId}`);
  await call('DELETE', `/beneficiaries/v1/item/${text(deleted!['beneficiaryId'])}`);
  await call('POST', '/beneficiaries/v1/find');
  await call('POST', '/simple-payments/v1/get-upload-url', { fileName: 'invoice.pdf' });
  const payments: string[] = [];
  for (const [amount, funded] of [
    [100, true],
    [250.5, false],
  ] as const) {
    const order = { beneficiaryId, sellCurrency: 'USD', buyCurrency: 'EUR', amount };
    const { data: quote } = await call('POST', '/simple-payments/v1/quote', order);
    const { data } = await call('POST', '/simple-payments/v1/create', { ...instruction, quoteId: quote!['quoteId'] });
    payments.push(text(data!['simplePaymentId']));
    if (funded) await call('POST', '/simple-payments/v1/fund', { simplePaymentId: payments[0] });
    await call('GET', `/simple-payments/v1/item/${text(data!['simplePaymentId'])}`);
  }
  await call('POST', '/simple-payments/v1/find');
  const { refundId } = await call('POST', '/__sandbox/refunds', { simplePaymentId: payments[0] });
  await call('GET', `/v2/refunds/${text(refundId)}`);
  await call('GET', '/v2/refunds');
  return { beneficiaryId: [beneficiaryId], simplePaymentId: payments, refundId: [text(refundId)] };
}

async function makeConversions(post: Post, get: Get): Promise<SampleIds> {
  const order = { buyCurrency: 'EUR', sellCurrency: 'USD', fixedSide: 'buy', amount: 40.25 };
  const conversions: string[] = [];
  for (const funded of [true, false]) {
    const { data: quote } = await post('/conversions/v1/quote', order);
    const { data } = await post('/conversions/v1/create', { quoteId: quote!['quoteId'] });
    conversions.push(text(data!['conversionId']));
    if (funded) await post('/conversions/v1/fund', { conversionId: conversions[0] });
    await get(`/conversions/v1/item/${text(data!['conversionId'])}`);
  }
  await post('/conversions/v1/find');
  return { conversionId: conversions };
}

async function makeIncoming(post: Post, get: Get): Promise<SampleIds> {
  const { fundingId } = await post('/__sandbox/fundings', { currency: 'USD', amount: 10 });
  await get(`/v2/fundings/${text(fundingId)}`);
  await get('/v2/fundings?pagination%5Bpage%5D=1&status=completed');
  const order = { name: 'Shop', provider: 'bank', currency: 'USD', description: 'Takings', type: 'open' };
  const { data } = await post('/virtual-accounts/v1/requests/create', { ...order, approveAsync: true });
  const requestId = text(data!['requestId']);
  await get(`/virtual-accounts/v1/requests/item/${requestId}`);
  await post('/__sandbox/force', { requestId, status: 'approved' });
  await get(`/virtual-accounts/v1/requests/item/${requestId}`);
  const { data: balances } = await get('/balances/v1/find');
  await get('/balances/v1/item/USD');
  await post('/balances/v1/history');
  return { fundingId: [text(fundingId)], requestId: [requestId], currencyOrId: ['USD', text(balances![0]!['id'])] };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
