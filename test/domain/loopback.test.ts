import { expect, test } from 'vitest';
import { isLoopbackHost } from '../../domain/loopback.ts';

test.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.255.0.9', '::1', '[::1]'])('%s is a loopback host', (host) => {
  expect(isLoopbackHost(host)).toBe(true);
});

test.each(['localhost.example', '127.0.0.1.example', '128.0.0.1', '0.0.0.0', '10.0.0.1', '::', 'example', ''])(
  '%s is not a loopback host',
  (host) => {
    expect(isLoopbackHost(host)).toBe(false);
  },
);
