/** Clients send a token unencrypted to this machine only. */
export { isLoopbackHost } from '../domain/loopback.ts';
