import { isIP } from 'node:net';
import { describe, expect, test } from 'vitest';
import { isPrivate, isPrivateLiteral } from '../../provider/private-networks.ts';

const private4 = ['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.255.255.254', '169.254.169.254', '172.16.0.1'];
const more4 = ['172.31.255.255', '192.0.0.1', '192.168.0.1', '198.18.0.1', '224.0.0.1', '255.255.255.255'];
const private6 = [
  '::',
  '::1',
  '::7f00:1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  '64:ff9b::a00:1',
];
const more6 = [
  '64:ff9b:1::1',
  '2002:0a00:0001::1',
  '2001:0:4136:e378::1',
  '::ffff:10.0.0.1',
  '::ffff:7f00:1',
  '::ffff:169.254.169.254',
];

describe('an address', () => {
  test.each([...private4, ...more4, ...private6, ...more6])('%s is private', (address) => {
    expect(isPrivate({ address, family: isIP(address) })).toBe(true);
  });

  test.each(['1.1.1.1', '8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700:4700::1111', '2a00:1450:4001::1'])(
    '%s is public',
    (address) => {
      expect(isPrivate({ address, family: isIP(address) })).toBe(false);
    },
  );

  test.each(['127.1', '0x7f000001', '2130706433', '017700000001', '[::ffff:7f00:1]', 'localhost', '[::1]'])(
    'is private in a URL, however it is written: %s',
    (host) => {
      expect(isPrivateLiteral(new URL(`https://${host}/`).hostname)).toBe(true);
    },
  );

  test('that is a name has to be resolved', () => {
    expect(isPrivateLiteral('hooks.example.com')).toBeNull();
  });
});
