import { Agent, request } from 'node:http';

interface Sent {
  readonly status: number;
  readonly text: string;
}

/** Calls one server over kept-alive connections, as cheaply as possible: the client must not limit the measurement. */
export class ConnectionPool {
  readonly #agent: Agent;
  readonly #host: string;
  readonly #port: string;
  readonly #headers: Record<string, string>;

  constructor(url: string, connections: number, headers: Record<string, string>) {
    const { hostname, port } = new URL(url);
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
    [this.#host, this.#port, this.#headers] = [hostname, port, headers];
  }

  /** POST with JSON text, GET without. @throws Error when the connection breaks */
  send(path: string, body?: string): Promise<Sent> {
    return new Promise((resolve, reject) => {
      const headers =
        body === undefined ? this.#headers : { ...this.#headers, 'content-length': Buffer.byteLength(body) };
      const method = body === undefined ? 'GET' : 'POST';
      const call = request(
        { agent: this.#agent, host: this.#host, port: this.#port, path, method, headers },
        (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (piece: string) => (text += piece));
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
          response.on('error', reject);
        },
      );
      call.on('error', reject);
      call.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
