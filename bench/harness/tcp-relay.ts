import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Relay {
  readonly port: number;
  close(): Promise<void>;
}

/** Forwards connections from a port, any one unless given, to a port on loopback. */
export async function startTcpRelay(host: string, targetPort: number, port = 0): Promise<Relay> {
  const sockets = new Set<Socket>();
  const server = createServer((incoming) => {
    const outgoing = connect({ host: '127.0.0.1', port: targetPort });
    for (const [from, to] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      from.setNoDelay(true);
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
