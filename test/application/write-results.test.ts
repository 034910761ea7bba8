import { describe, expect, test } from 'vitest';
import { type ResultLine, writeResults } from '../../application/runs/write-results.ts';
import { parse } from 'csv-parse/sync';
import { textOf } from './payment-files.ts';

const aResult = (changes: Partial<ResultLine> = {}): ResultLine => ({
  line: 2,
  rowRef: 'A',
  status: 'paid',
  providerId: 'p1',
  attempt: 1,
  amount: '10.00',
  amountSide: 'buy',
  sellCurrency: 'USD',
  sellAmount: '11.00',
  buyCurrency: 'EUR',
  buyAmount: '10.00',
  rate: '0.909',
  fee: '1.50',
  totalAmount: '12.50',
  errorCode: null,
  errorMessage: null,
  quotedAt: '2026-04-10T08:00:00.000Z',
  createdAt: null,
  fundedAt: null,
  endedAt: null,
  echo: null,
  returnedAmount: null,
  returnedAt: null,
  ...changes,
});

const RETURNED = { returnedAmount: '12.50', returnedAt: '2026-04-11T08:00:00.000Z' };

describe('results.csv', () => {
  test('has the columns that scripts rely on, and a line for every result in its order', async () => {
    const text = await textOf(writeResults([aResult(), aResult({ line: 3, rowRef: 'B', echo: 'x,"y"', ...RETURNED })]));
    expect(text).toBe(
      'line,row_ref,status,provider_payment_id,attempt,amount,amount_side,sell_currency,sell_amount,buy_currency,buy_amount,' +
        'rate,fee,total_amount,error_code,error_message,quoted_at,created_at,funded_at,ended_at,echo,returned_amount,returned_at\n' +
        '2,A,paid,p1,1,10.00,buy,USD,11.00,EUR,10.00,0.909,1.50,12.50,,,2026-04-10T08:00:00.000Z,,,,,,\n' +
        '3,B,paid,p1,1,10.00,buy,USD,11.00,EUR,10.00,0.909,1.50,12.50,,,2026-04-10T08:00:00.000Z,,,,"x,""y""",12.50,2026-04-11T08:00:00.000Z\n',
    );
  });

  test('contains no formulas for a spreadsheet, and leaves numbers as they are', async () => {
    const formulas = ['=1+1', '+cmd', '-x', '@sum', '\tx', '＝1'];
    const lines = formulas.map((echo) => aResult({ echo, errorMessage: '-5.00', rowRef: '+15' }));
    const records: string[][] = parse(await textOf(writeResults(lines)));
    expect(records.slice(1).map((record) => record[20])).toEqual(formulas.map((formula) => `'${formula}`));
    expect(records.slice(1).every((record) => record[15] === '-5.00' && record[1] === '+15')).toBe(true);
  });

  test('of a long run is written from a stream, piece by piece, each line once', async () => {
    async function* stream() {
      for (let line = 2; line < 1203; line++) yield await Promise.resolve(aResult({ line }));
    }
    const pieces: string[] = [];
    for await (const piece of writeResults(stream())) pieces.push(piece);
    expect(pieces).toHaveLength(5);
    const records: string[][] = parse(pieces.join(''));
    expect(records.slice(1).map(([line]) => Number(line))).toEqual(
      Array.from({ length: 1201 }, (_, index) => index + 2),
    );
  });

  test('of no rows is the header', async () => {
    expect(await textOf(writeResults([]))).toMatch(/^line,.*,echo,returned_amount,returned_at\n$/);
  });
});
