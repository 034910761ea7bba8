import { type LookupAddress, promises as dns } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isLoopbackHost } from '../../domain/loopback.ts';
import { isPrivate, isPrivateLiteral } from '../private-networks.ts';

/**
 * The hosts that files may be sent to and read from. The provider names one for each file: an attacker who answers for
 * the provider could name a host of the internal network, or collect the files.
 */
export interface StorageHosts {
  /** Sends nothing to the host. A name is judged by the addresses that it resolves to. */
  admit(url: URL): Promise<AdmittedHost | RefusedHost>;
}

/** `lookup` makes the connection use the addresses that were checked. Undefined: the default lookup. */
export interface AdmittedHost {
  refusal: null;
  lookup: LookupFunction | undefined;
}

export interface RefusedHost {
  /** What is wrong, for an error message: `<host>, which …`. */
  refusal: string;
}

export interface StorageHostsOptions {
  /** Of the API. */
  base: URL;
  /** The only hosts that are allowed: names, `*.` in front for all subdomains. Undefined: every public host. */
  names: readonly string[] | undefined;
  /** Whether files may be sent over plain HTTP outside this machine. */
  plaintextAllowed: boolean;
  /** For tests: resolves a name to all its addresses. */
  resolve?: (name: string) => Promise<LookupAddress[]>;
}

export function createStorageHosts(options: StorageHostsOptions): StorageHosts {
  const { base, names, plaintextAllowed } = options;
  const resolve = options.resolve ?? ((name) => dns.lookup(name, { all: true }));

  const isApiPrivate = async (): Promise<boolean> => {
    const literal = isPrivateLiteral(base.hostname);
    return literal ?? (await resolve(base.hostname).catch(() => [])).some(isPrivate);
  };

  return {
    admit: async (url) => {
      const host = url.hostname;
      if (url.protocol !== 'https:' && !plaintextAllowed && !isLoopbackHost(host)) {
        return { refusal: `${host}, unencrypted, which PAYRUN_ALLOW_PLAINTEXT does not allow for uploads` };
      }
      if (names !== undefined) {
        if (names.some((name) => isNamed(host, name))) return { refusal: null, lookup: undefined };
        return { refusal: `${host}, which is not among PAYRUN_PROVIDER_UPLOAD_HOSTS` };
      }
      const literal = isPrivateLiteral(host);
      const found = literal === null ? await resolve(host).catch((error: unknown) => asError(error)) : [];
      // The connection uses the addresses that were checked, even if the name resolves to others by then.
      const lookup = literal === null ? pinnedTo(found) : undefined;
      const isInternal = literal ?? (!(found instanceof Error) && found.some(isPrivate));
      if (!isInternal || (await isApiPrivate())) return { refusal: null, lookup };
      return { refusal: `${host}, which leads into a private network; PAYRUN_PROVIDER_UPLOAD_HOSTS may name it` };
    },
  };
}

function isNamed(host: string, name: string): boolean {
  return name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name;
}

function pinnedTo(found: LookupAddress[] | Error): LookupFunction {
  return (_name, { all }, callback) => {
    // Asynchronous, as a real lookup: a synchronous failure would look like an established connection.
    setImmediate(() => {
      const [first] = found instanceof Error ? [] : found;
      if (first === undefined) callback(asError(found), '', 0);
      else if (all === true) callback(null, found as LookupAddress[]);
      else callback(null, first.address, first.family);
    });
  };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error('the name does not resolve');
}
