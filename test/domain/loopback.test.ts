import { expect, test } from 'vitest';
import { isLoopbackHost } from '../../domain/loopback.ts';

test.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.255.0.9', '::1', '[::1]'])('%s is this machine', (host) => {
  expect(isLoopbackHost(host)).toBe(true);
});

test.each(['localhost.example', '127.0.0.1.example', '128.0.0.1', '0.0.0.0', '10.0.0.1', '::', 'example', ''])(
  '%s is not, or need not be',
  (host) => {
    expect(isLoopbackHost(host)).toBe(false);
  },
);
