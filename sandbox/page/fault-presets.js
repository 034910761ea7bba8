/** What people try most. A button is shown where the sandbox knows its operation and its kind. */
export const presets = [
  {
    label: 'Next create: answer lost after the effect',
    order: { operation: 'simple-payment-create', kind: 'error_after' },
  },
  {
    label: 'Next fund: connection reset after it was done',
    order: { operation: 'simple-payment-fund', kind: 'reset_after' },
  },
  { label: 'Next quote: 503', order: { operation: 'simple-payment-quote', kind: 'error_before' } },
  { label: 'Next answer: only half of it', order: { operation: '*', kind: 'garbled_after' } },
  { label: 'Burst of ten 429', order: { operation: '*', kind: 'rate_limited', times: 10 } },
  {
    label: 'One request in five is 2 s late',
    order: { operation: '*', kind: 'slow_after', probability: 0.2, delayMs: 2000 },
  },
  { label: 'Next quote expires early', order: { operation: 'simple-payment-create', kind: 'quote_dies' } },
  { label: 'Token ends now', order: { operation: '*', kind: 'token_dies' } },
  {
    label: 'Find lags 5 s',
    order: { operation: 'simple-payment-find', kind: 'find_lags', probability: 1, delayMs: 5000 },
  },
  { label: 'Webhooks twice', order: { operation: 'webhook', kind: 'webhook_duplicate', probability: 1 } },
  { label: 'Next webhook lost', order: { operation: 'webhook', kind: 'webhook_drop' } },
  { label: 'Webhooks 5 s late', order: { operation: 'webhook', kind: 'webhook_delay', probability: 1, delayMs: 5000 } },
];
