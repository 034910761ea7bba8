import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { signatureHeaders } from '../../activities/notifications/post-webhook.ts';

const [CURRENT, FORMER, OTHER] = [1, 2, 3].map((n) => Buffer.alloc(32, n)) as [Buffer, Buffer, Buffer];
const WEBHOOK = { id: '018f2a00-0000-7000-8000-000000000001', body: '{"type":"run.finished","name":"Löhne.csv"}' };

/** By the reference implementation, which this repository does not share with the signing. */
function verify(secret: Buffer, headers: Record<string, string>, body = WEBHOOK.body): unknown {
  return new Webhook(`whsec_${secret.toString('base64')}`).verify(body, headers);
}

describe('a webhook', () => {
  test('verifies with the reference implementation of Standard Webhooks', () => {
    const headers = signatureHeaders(WEBHOOK, [CURRENT], Date.now());
    expect(verify(CURRENT, headers)).toEqual(JSON.parse(WEBHOOK.body));
    expect(headers['webhook-id']).toBe(WEBHOOK.id);
  });

  test('verifies with either secret while the secret is rotated, and with no other', () => {
    const headers = signatureHeaders(WEBHOOK, [CURRENT, FORMER], Date.now());
    expect(verify(CURRENT, headers)).toBeTruthy();
    expect(verify(FORMER, headers)).toBeTruthy();
    expect(() => verify(OTHER, headers)).toThrow('No matching signature found');
  });

  test('that was changed does not verify', () => {
    const headers = signatureHeaders(WEBHOOK, [CURRENT], Date.now());
    expect(() => verify(CURRENT, headers, WEBHOOK.body.replace('finished', 'rejected'))).toThrow('No matching');
    expect(() => verify(CURRENT, { ...headers, 'webhook-id': 'another' })).toThrow('No matching');
  });

  test('that is recorded and sent again later does not verify', () => {
    const headers = signatureHeaders(WEBHOOK, [CURRENT], Date.now() - 600_000);
    expect(() => verify(CURRENT, headers)).toThrow('too old');
  });

  test('is signed as the example of the specification', () => {
    // https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
    const secret = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
    const webhook = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}' };
    expect(signatureHeaders(webhook, [secret], 1_614_265_330_000)).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });
});
