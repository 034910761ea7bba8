import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A network of its own for one process, joined to this one by a pair of virtual interfaces. */
export interface NetworkNamespace {
  readonly name: string;
  /** This side's address, by which what runs in there reaches services out here; those of other namespaces too. */
  readonly hostAddress: string;
  remove(): Promise<void>;
}

/**
 * Makes a namespace, which takes the right to: Linux, and as a rule root. `number` from 1 to 60 tells those of one
 * benchmark apart. Null where it is not permitted or the addresses are in use.
 */
export async function addNetworkNamespace(number: number): Promise<NetworkNamespace | null> {
  const name = `payrun-bench-${process.pid}-${number}`;
  const link = `pb${number}-${process.pid % 100_000}`;
  // 198.18.0.0/15 is set aside for benchmarks.
  const network = `198.18.${process.pid % 250}`;
  const hostAddress = `${network}.${number * 4 + 1}`;
  const ip = (...words: string[]): Promise<unknown> => run('ip', words);
  const remove = async (): Promise<void> => {
    // The interfaces go with the namespace.
    await ip('netns', 'delete', name).catch(() => undefined);
  };
  try {
    await ip('netns', 'add', name);
    await ip('link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
    await ip('address', 'add', `${hostAddress}/30`, 'dev', link);
    await ip('link', 'set', link, 'up');
    await ip('netns', 'exec', name, 'ip', 'address', 'add', `${network}.${number * 4 + 2}/30`, 'dev', 'eth0');
    await ip('netns', 'exec', name, 'ip', 'link', 'set', 'eth0', 'up');
    await ip('netns', 'exec', name, 'ip', 'link', 'set', 'lo', 'up');
    await ip('netns', 'exec', name, 'ip', 'route', 'add', 'default', 'via', hostAddress);
    return { name, hostAddress, remove };
  } catch {
    await remove();
    return null;
  }
}
