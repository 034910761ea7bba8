import { expect, test } from 'vitest';
import { workflowUrl } from '../../application/workflow-url.ts';

type Dependencies = Parameters<typeof workflowUrl>[0];

const of = (temporalUiUrl: string | null): Dependencies =>
  ({ temporal: { options: { namespace: 'pay/run' } }, settings: { temporalUiUrl } }) as unknown as Dependencies;

test('a workflow has an address where that of the interface is configured', () => {
  expect(workflowUrl(of('http://127.0.0.1:8233'), 'payment/1')).toBe(
    'http://127.0.0.1:8233/namespaces/pay%2Frun/workflows/payment%2F1',
  );
  expect(workflowUrl(of('https://example.test/temporal/'), 'payment/1')).toBe(
    'https://example.test/temporal/namespaces/pay%2Frun/workflows/payment%2F1',
  );
  expect(workflowUrl(of(null), 'payment/1')).toBeNull();
});

test('a password in the configured address is shown to nobody', () => {
  expect(workflowUrl(of('https://ada:secret@example.test'), 'payment/1')).toBe(
    'https://example.test/namespaces/pay%2Frun/workflows/payment%2F1',
  );
});
