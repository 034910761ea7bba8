import { expect, test } from 'vitest';
import { paymentUpdateOf } from '../../activities/payments/payment-update.ts';
import { simplePaymentAnswer } from '../../provider/payments/simple-payment-fields.ts';

const SHOWN = { simplePaymentId: 'sp-1', status: 'processing' };

test('a field that an answer leaves out keeps its recorded value', () => {
  const update = paymentUpdateOf(simplePaymentAnswer.parse(SHOWN));
  expect(update).toEqual({ provider_payment_id: 'sp-1', provider_status: 'processing' });
});

test.each([null, '', 'the day before yesterday'])('a creation time of %j is left out', (createdAt) => {
  const update = paymentUpdateOf(simplePaymentAnswer.parse({ ...SHOWN, createdAt }));
  expect(update).not.toHaveProperty('provider_created_at');
});
