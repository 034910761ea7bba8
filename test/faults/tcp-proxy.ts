import { createServer, type AddressInfo, type Server, type Socket, connect } from 'node:net';

export type ProxyMode = 'pass' | 'refuse' | 'hang';

/** A way to a service that can be closed, or can swallow everything, while the service itself runs on. */
export interface TcpProxy {
  readonly port: number;
  /**
   * `refuse` breaks what is open and every new connection, `hang` lets nothing through; whatever `hang` held back goes
   * on when it passes again.
   */
  set(mode: ProxyMode): void;
  /** Breaks what is open. */
  reset(): void;
  close(): Promise<void>;
}

export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  let mode: ProxyMode = 'pass';
  const pairs = new Set<readonly [Socket, Socket]>();

  const server: Server = createServer((near) => {
    if (mode === 'refuse') {
      near.resetAndDestroy();
      return;
    }
    const far = connect({ host: '127.0.0.1', port: targetPort });
    const pair = [near, far] as const;
    pairs.add(pair);
    const end = (): void => {
      pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    for (const socket of pair) {
      socket.setNoDelay(true);
      socket.on('error', end);
      socket.on('close', end);
    }
    near.on('data', (bytes) => far.write(bytes));
    far.on('data', (bytes) => near.write(bytes));
    if (mode === 'hang') for (const socket of pair) socket.pause();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const reset = (): void => {
    for (const [near, far] of pairs) {
      near.resetAndDestroy();
      far.resetAndDestroy();
    }
  };
  return {
    port: (server.address() as AddressInfo).port,
    set: (next) => {
      mode = next;
      if (mode === 'refuse') reset();
      for (const pair of pairs)
        for (const socket of pair)
          if (mode === 'hang') socket.pause();
          else socket.resume();
    },
    reset,
    close: () => {
      reset();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
