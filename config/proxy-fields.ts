import { isIP } from 'node:net';
import { z } from 'zod';

const NETWORK = /^([^/]+)(?:\/(\d{1,3}))?$/;

/** Addresses and networks; a network of all addresses would have everybody believed. */
function isProxy(text: string): boolean {
  const [, address = '', bits] = NETWORK.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0) return false;
  return bits === undefined || (Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128));
}

/** Of proxies in front of the server, whose word on the origin of a request is taken. */
export const trustedProxies = z
  .string()
  .transform((text) => text.split(',').map((address) => address.trim()))
  .pipe(z.array(z.string().refine(isProxy, 'give a comma list of addresses or networks, such as 10.0.3.0/28')));
