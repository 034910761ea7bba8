import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A network namespace for one process, connected to this one by a pair of virtual interfaces. */
export interface NetworkNamespace {
  readonly name: string;
  /** The address under which processes in this namespace, and in others of the benchmark, reach services outside. */
  readonly hostAddress: string;
  remove(): Promise<void>;
}

/**
 * Creates a namespace, which takes Linux and usually root. `number`, from 1 to 60, is its number within one benchmark.
 * Null where it is not permitted or the addresses are in use.
 */
export async function addNetworkNamespace(number: number): Promise<NetworkNamespace | null> {
  const name = `payrun-bench-${process.pid}-${number}`;
  const link = `pb${number}-${process.pid % 100_000}`;
  // 198.18.0.0/15 is reserved for benchmarks.
  const network = `198.18.${process.pid % 250}`;
  const hostAddress = `${network}.${number * 4 + 1}`;
  const ip = (...words: string[]): Promise<unknown> => run('ip', words);
  const remove = async (): Promise<void> => {
    // This removes the interfaces as well.
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
