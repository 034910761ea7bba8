import { expect, test } from 'vitest';
import { paymentUpdateOf } from '../../activities/payments/payment-update.ts';
import { simplePaymentAnswer } from '../../provider/payments/simple-payment-fields.ts';

const SHOWN = { simplePaymentId: 'sp-1', status: 'processing' };

test('what an answer leaves out is no news: nothing that is known is erased', () => {
  const facts = paymentUpdateOf(simplePaymentAnswer.parse(SHOWN));
  expect(facts).toEqual({ provider_payment_id: 'sp-1', provider_status: 'processing' });
});

test.each([null, '', 'the day before yesterday'])('a time of creation that is %j is not known', (createdAt) => {
  const facts = paymentUpdateOf(simplePaymentAnswer.parse({ ...SHOWN, createdAt }));
  expect(facts).not.toHaveProperty('provider_created_at');
});
