import { createServer, type AddressInfo, type Server, type Socket, connect } from 'node:net';

export type ProxyMode = 'pass' | 'refuse' | 'hang';

/** A TCP proxy to a service, which can refuse connections or hold back all traffic while the service runs on. */
export interface TcpProxy {
  readonly port: number;
  /**
   * `refuse` resets the open connections and every new one. `hang` holds back all traffic until the mode is `pass` again.
   */
  setMode(mode: ProxyMode): void;
  /** Resets the open connections. */
  reset(): void;
  close(): Promise<void>;
}

export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  let mode: ProxyMode = 'pass';
  const pairs = new Set<readonly [Socket, Socket]>();

  const server: Server = createServer((incoming) => {
    if (mode === 'refuse') {
      incoming.resetAndDestroy();
      return;
    }
    const outgoing = connect({ host: '127.0.0.1', port: targetPort });
    const pair = [incoming, outgoing] as const;
    pairs.add(pair);
    const end = (): void => {
      pairs.delete(pair);
      incoming.destroy();
      outgoing.destroy();
    };
    for (const socket of pair) {
      socket.setNoDelay(true);
      socket.on('error', end);
      socket.on('close', end);
    }
    incoming.on('data', (bytes) => outgoing.write(bytes));
    outgoing.on('data', (bytes) => incoming.write(bytes));
    if (mode === 'hang') for (const socket of pair) socket.pause();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const reset = (): void => {
    for (const [incoming, outgoing] of pairs) {
      incoming.resetAndDestroy();
      outgoing.resetAndDestroy();
    }
  };
  return {
    port: (server.address() as AddressInfo).port,
    setMode: (next) => {
      mode = next;
      if (mode === 'refuse') reset();
      for (const socket of [...pairs].flat()) {
        if (mode === 'hang') socket.pause();
        else socket.resume();
      }
    },
    reset,
    close: () => {
      reset();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
