import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asDelivered, railOf } from '../../domain/payment-file/rail-texts.ts';

const to = (currency: string, bankAccountCountry: string) => ({ currency, bankAccountCountry });
const sent = (parts: Partial<Parameters<typeof asDelivered>[2]>) => ({
  name: 'A',
  address: 'B',
  reference: 'C',
  ...parts,
});

describe('the system by which a row is paid', () => {
  test.each([
    ['EUR', 'DE', null, 'sepa'],
    ['EUR', 'CH', 'LOCAL', 'sepa'],
    ['EUR', 'DE', 'SWIFT-SHA', 'swift'],
    ['EUR', 'US', null, null],
    ['GBP', 'GB', null, 'faster_payments'],
    ['USD', 'US', 'LOCAL', 'ach'],
    ['AUD', 'AU', null, 'becs'],
    ['MXN', 'MX', null, 'spei'],
    ['INR', 'IN', null, null],
  ] as const)('%s to %s by %s is %s', (currency, country, channel, rail) => {
    expect(railOf(to(currency, country), channel)).toBe(rail);
  });
});

describe('the payee reads', () => {
  test('by SEPA Latin letters without marks, and 70 characters of a name', () => {
    const delivered = asDelivered(
      to('EUR', 'DE'),
      null,
      sent({ name: `Müller & Söhne ${'x'.repeat(60)}`, reference: 'Счёт 4711_12' }),
    );
    expect(delivered?.name).toEqual({ text: `Muller + Sohne ${'x'.repeat(55)}`, cut: 'xxxxx', lost: [] });
    // и, like the others, but a mark is taken off first.
    expect(delivered?.reference).toEqual({ text: '.... 4711-12', cut: '', lost: ['С', 'ч', 'ё', 'т'] });
  });

  test('by Faster Payments 18 characters of a reference', () => {
    const delivered = asDelivered(to('GBP', 'GB'), 'LOCAL', sent({ reference: 'Photography, spring fair' }));
    expect(delivered?.reference).toEqual({ text: 'Photography  sprin', cut: 'g fair', lost: [] });
  });

  test('by ACH 22 characters of a name, and no address', () => {
    const delivered = asDelivered(
      to('USD', 'US'),
      'LOCAL',
      sent({ name: 'Harbor & Pine Furniture LLC', address: 'Straße 1' }),
    );
    expect(delivered?.name).toEqual({ text: 'Harbor & Pine Furnitur', cut: 'e LLC', lost: [] });
    expect(delivered?.address).toEqual({ text: '', cut: '', lost: [] });
  });

  test('by SPEI capitals', () => {
    expect(asDelivered(to('MXN', 'MX'), null, sent({ name: 'Peña' }))?.name.text).toBe('PENA');
  });

  test('letters of no script but the one that is carried, whatever is sent, and all that is carried as it is', () => {
    const corridors = [to('EUR', 'DE'), to('GBP', 'GB'), to('USD', 'US'), to('AUD', 'AU'), to('MXN', 'MX')];
    fc.assert(
      fc.property(fc.constantFrom(...corridors), fc.string({ unit: 'grapheme', maxLength: 300 }), (corridor, text) => {
        for (const channel of [null, 'SWIFT-OUR'] as const) {
          const reference = asDelivered(corridor, channel, sent({ reference: text }))?.reference;
          expect(reference?.text).toMatch(/^[ -~]*$/);
          expect(reference?.text.length).toBeLessThanOrEqual(140);
        }
      }),
      { numRuns: 500 },
    );
    const plain = 'Invoice 4711/12';
    expect(asDelivered(to('EUR', 'DE'), null, sent({ reference: plain }))?.reference).toEqual({
      text: plain,
      cut: '',
      lost: [],
    });
  });
});
