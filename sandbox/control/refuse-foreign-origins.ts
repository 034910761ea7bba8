import type { FastifyInstance } from 'fastify';
import { Refusal } from '../core/refusal.ts';
import type { World } from '../world.ts';

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Protects the control API, which needs no key, from other websites that are open in a browser on this machine. Requests
 * of another origin are refused, and so are bodies that are not JSON, which browsers send without a preflight. A sandbox
 * on a loopback address accepts only loopback host names, against DNS rebinding.
 */
export function refuseForeignOrigins(app: FastifyInstance, world: World): void {
  app.removeContentTypeParser('text/plain');
  const { host: listensOn, publicUrl } = world.options;
  const allowedNames = publicUrl === null ? [] : [new URL(publicUrl).hostname];
  const onLoopback = loopback.test(bracketed(listensOn));
  app.addHook('onRequest', (request, _reply, done) => {
    const { host = '', origin } = request.headers;
    const name = hostnameOf(host);
    if (onLoopback && !loopback.test(name) && !allowedNames.includes(name)) {
      throw new Refusal(403, 'forbidden', 'Host: this sandbox is reached by localhost or a loopback address');
    }
    if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`) {
      throw new Refusal(403, 'forbidden', 'Origin: pages of other origins cannot use the control API');
    }
    done();
  });
}

const bracketed = (address: string): string => (address.includes(':') ? `[${address}]` : address);

const hostnameOf = (host: string): string =>
  URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : host;
