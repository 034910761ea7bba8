/** Common faults. A button is shown when the sandbox has its operation and kind. */
export const presets = [
  {
    label: 'Next create: answer lost after the effect',
    spec: { operation: 'simple-payment-create', kind: 'error_after' },
  },
  {
    label: 'Next fund: connection reset after it was done',
    spec: { operation: 'simple-payment-fund', kind: 'reset_after' },
  },
  { label: 'Next quote: 503', spec: { operation: 'simple-payment-quote', kind: 'error_before' } },
  { label: 'Next answer: only half of it', spec: { operation: '*', kind: 'garbled_after' } },
  { label: 'Burst of ten 429', spec: { operation: '*', kind: 'rate_limited', times: 10 } },
  {
    label: 'One request in five is 2 s late',
    spec: { operation: '*', kind: 'slow_after', probability: 0.2, delayMs: 2000 },
  },
  { label: 'Next quote expires early', spec: { operation: 'simple-payment-create', kind: 'quote_dies' } },
  { label: 'Token ends now', spec: { operation: '*', kind: 'token_dies' } },
  {
    label: 'Find lags 5 s',
    spec: { operation: 'simple-payment-find', kind: 'find_lags', probability: 1, delayMs: 5000 },
  },
  { label: 'Webhooks twice', spec: { operation: 'webhook', kind: 'webhook_duplicate', probability: 1 } },
  { label: 'Next webhook lost', spec: { operation: 'webhook', kind: 'webhook_drop' } },
  { label: 'Webhooks 5 s late', spec: { operation: 'webhook', kind: 'webhook_delay', probability: 1, delayMs: 5000 } },
];
