import type { LookupAddress } from 'node:dns';
import { BlockList, isIP } from 'node:net';
import { isLoopbackHost } from '../domain/loopback.ts';

/** Networks that are not the public internet, and those of IPv6 that lead to any address of IPv4 (NAT64, 6to4, Teredo). */
const PRIVATE = new BlockList();
for (const network of [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...[
    '192.168.0.0/16',
    '198.18.0.0/15',
    '224.0.0.0/3',
    '::/96',
    '64:ff9b::/96',
    '64:ff9b:1::/48',
    '2001::/32',
    '2002::/16',
  ],
  ...['fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
]) {
  const [address = '', bits] = network.split('/');
  PRIVATE.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** IPv4 addresses that are mapped into IPv6 are judged as such. */
export function isPrivate({ address, family }: LookupAddress): boolean {
  return PRIVATE.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** Of a host in a URL. Null for a name that has to be resolved. */
export function isPrivateLiteral(host: string): boolean | null {
  if (isLoopbackHost(host)) return true;
  const address = host.replace(/^\[(.*)\]$/, '$1');
  const family = isIP(address);
  return family === 0 ? null : isPrivate({ address, family });
}
