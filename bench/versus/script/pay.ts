import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PreparedRow } from '../contender.ts';

/**
 * A script as one would write it in an afternoon: `pay.ts URL ROWS RESULTS WORKERS REFERENCE`. It pays the rows without
 * a line in the results file, and writes a line for each row that has ended. After a crash it continues from there.
 */
const [url = '', rowsFile = '', resultsFile = '', workers = '20', reference = 'unique'] = process.argv.slice(2);
const POLL_MS = 5_000;
const FINAL = ['completed', 'rejected', 'failed'];

interface Payment {
  readonly simplePaymentId: string;
  readonly status: string;
}

let token = '';

async function call<T>(path: string, body?: unknown): Promise<T> {
  for (;;) {
    const answer = await fetch(url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': process.env['API_KEY'] ?? '', authorization: token },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await answer.text();
    if (answer.ok) return JSON.parse(text) as T;
    if (answer.status !== 429) throw new Error(`${path}: ${answer.status} ${text}`);
    await sleep(Number(answer.headers.get('retry-after') ?? 1) * 1000);
  }
}

async function pay(row: PreparedRow): Promise<string> {
  let payment = await create(row);
  if (payment.status === 'awaiting_funds') {
    payment = await callForPayment('/simple-payments/v1/fund', { simplePaymentId: payment.simplePaymentId });
  }
  while (!FINAL.includes(payment.status)) {
    await sleep(POLL_MS);
    payment = await callForPayment(`/simple-payments/v1/item/${payment.simplePaymentId}`);
  }
  return payment.status;
}

const callForPayment = async (path: string, body?: unknown): Promise<Payment> =>
  (await call<{ data: Payment }>(path, body)).data;

async function create({ rowRef, beneficiaryId, amount }: PreparedRow): Promise<Payment> {
  const { data: quote } = await call<{ data: { quoteId: string } }>('/simple-payments/v1/quote', {
    beneficiaryId,
    sellCurrency: 'USD',
    buyCurrency: 'GBP',
    amount: Number(amount),
    fixedSide: 'sell',
  });
  try {
    return await callForPayment('/simple-payments/v1/create', {
      quoteId: quote.quoteId,
      referenceId: rowRef,
      uniqueReferenceId: reference !== 'plain',
      paymentReference: 'Invoice 4711',
      purposeOfTransfer: 'SUPP',
      fundingSource: 'COMPANY_BANK_ACCOUNT',
      fundingMethod: 'PAYNOW',
    });
  } catch (error) {
    if (reference !== 'lookup' || !String(error).includes('409')) throw error;
    const { value } = await call<{ value: Payment[] }>('/simple-payments/v1/find', { referenceId: rowRef });
    if (!value[0]) throw error;
    return value[0];
  }
}

const results = existsSync(resultsFile) ? readFileSync(resultsFile, 'utf8').split('\n') : [];
const done = new Set(results.map((line) => line.split(',')[0]));
const rows = (JSON.parse(readFileSync(rowsFile, 'utf8')) as PreparedRow[]).filter(({ rowRef }) => !done.has(rowRef));

async function work(): Promise<void> {
  for (let row = rows.shift(); row; row = rows.shift()) {
    const outcome = await pay(row).catch((error: unknown) => `error ${String(error).replaceAll(/[\n,]/g, ' ')}`);
    appendFileSync(resultsFile, `${row.rowRef},${outcome}\n`);
  }
}

const credentials = { accessKeyId: process.env['ACCESS_KEY_ID'], secretAccessKey: process.env['SECRET_ACCESS_KEY'] };
({ token } = await call<{ token: string }>('/users/v1/authenticate', credentials));
await Promise.all(Array.from({ length: Number(workers) }, work));
