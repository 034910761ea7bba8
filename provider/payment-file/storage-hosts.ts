import { type LookupAddress, promises as dns } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { isLoopbackHost } from '../../domain/loopback.ts';

/**
 * Where files may be sent to and fetched from. The provider says it anew for each file: whoever answers in its place
 * could name a host of one's own network, or collect the files.
 */
export interface StorageHosts {
  /** Nothing is sent by asking. A name counts by the addresses that it leads to. */
  admit(url: URL): Promise<AdmittedHost | RefusedHost>;
}

/** `lookup` is for the connection: it leads to the addresses that were checked; undefined: as usual. */
export interface AdmittedHost {
  refusal: null;
  lookup: LookupFunction | undefined;
}

export interface RefusedHost {
  /** What is wrong with the address, for people: `<host>, which …`. */
  refusal: string;
}

export interface StorageHostsOptions {
  /** Of the API. */
  base: URL;
  /** The only hosts that are admitted: names, a leading `*.` for those below it. Undefined: every public one. */
  names: readonly string[] | undefined;
  /** Whether files may travel unencrypted beyond this machine. */
  plaintextAllowed: boolean;
  /** All addresses of a name; for tests. */
  resolve?: (name: string) => Promise<LookupAddress[]>;
}

/** Networks that are not the public internet: those of this machine, of an organisation, of a link. */
const PRIVATE = new BlockList();
for (const network of [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.168.0.0/16', '198.18.0.0/15', '224.0.0.0/3', '::/127', '64:ff9b::/96', 'fc00::/7', 'fe80::/10', 'ff00::/8'],
]) {
  const [address = '', bits] = network.split('/');
  PRIVATE.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

export function createStorageHosts(options: StorageHostsOptions): StorageHosts {
  const { base, names, plaintextAllowed } = options;
  const resolve = options.resolve ?? ((name) => dns.lookup(name, { all: true }));

  const isApiPrivate = async (): Promise<boolean> => {
    const literal = privateByItself(base.hostname);
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
      const literal = privateByItself(host);
      const found = literal === null ? await resolve(host).catch((error: unknown) => asError(error)) : [];
      // It is connected to the addresses that were looked at, so that another answer meanwhile changes nothing.
      const lookup = literal === null ? pinnedTo(found) : undefined;
      const leadsInside = literal ?? (!(found instanceof Error) && found.some(isPrivate));
      if (!leadsInside || (await isApiPrivate())) return { refusal: null, lookup };
      return { refusal: `${host}, which leads into a private network; PAYRUN_PROVIDER_UPLOAD_HOSTS may name it` };
    },
  };
}

function isNamed(host: string, name: string): boolean {
  return name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name;
}

/** Null for a name that has to be looked up. */
function privateByItself(host: string): boolean | null {
  if (isLoopbackHost(host)) return true;
  const address = host.replace(/^\[(.*)\]$/, '$1');
  const family = isIP(address);
  return family === 0 ? null : isPrivate({ address, family });
}

function isPrivate({ address, family }: LookupAddress): boolean {
  return PRIVATE.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

function pinnedTo(found: LookupAddress[] | Error): LookupFunction {
  return (_name, { all }, callback) => {
    // As late as a real answer comes: a connection that fails at once would look like one that was made.
    setImmediate(() => {
      const [first] = found instanceof Error ? [] : found;
      if (first === undefined) callback(asError(found), '', 0);
      else if (all === true) callback(null, found as LookupAddress[]);
      else callback(null, first.address, first.family);
    });
  };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error('the name leads nowhere');
}
