import type { FastifyInstance } from 'fastify';
import { Refusal } from '../core/refusal.ts';
import type { World } from '../core/world.ts';

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Keeps other websites away from the control door, which asks for no key: a browser on this machine would send their
 * requests. What comes from another origin is refused, and so is a body that is not JSON, which a browser sends without
 * asking. A sandbox on loopback answers to loopback's names alone, lest a foreign name be pointed at it.
 */
export function refuseForeignPages(app: FastifyInstance, world: World): void {
  app.removeContentTypeParser('text/plain');
  const { host: listensOn, publicUrl } = world.options;
  const names = publicUrl === null ? [] : [new URL(publicUrl).hostname];
  const onLoopback = loopback.test(bracketed(listensOn));
  app.addHook('onRequest', (request, _reply, done) => {
    const { host = '', origin } = request.headers;
    const name = hostnameOf(host);
    if (onLoopback && !loopback.test(name) && !names.includes(name)) {
      throw new Refusal(403, 'forbidden', 'Host: this sandbox is reached by localhost or a loopback address');
    }
    if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`) {
      throw new Refusal(403, 'forbidden', 'Origin: the control door is not for pages of other origins');
    }
    done();
  });
}

const bracketed = (address: string): string => (address.includes(':') ? `[${address}]` : address);

const hostnameOf = (host: string): string =>
  URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : host;
