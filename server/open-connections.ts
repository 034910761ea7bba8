import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Lets a server close as soon as its last request is answered. Node's own close waits for connections
 * that become idle after it began, and for connections without any request.
 */
export class OpenConnections {
  readonly #open = new Set<Socket>();
  readonly #busy = new Set<Socket>();
  #closing = false;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#open.add(socket);
      socket.once('close', () => this.#open.delete(socket));
    });
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const { socket } = request;
      this.#busy.add(socket);
      response.once('close', () => {
        this.#busy.delete(socket);
        if (this.#closing) socket.destroySoon();
      });
    });
  }

  /** Closes what is idle now, and the rest as it becomes so. */
  closeWhenIdle(): void {
    this.#closing = true;
    for (const socket of this.#open) if (!this.#busy.has(socket)) socket.destroy();
  }
}
