import { createServer } from 'node:http';

/**
 * A server that only answers, with as many bytes as the sandbox has for a payment. The rate that the load generator
 * reaches against it is the highest that it can measure.
 */
const padding = 'x'.repeat(1000);
const answer = JSON.stringify({
  data: { quoteId: 'quote', simplePaymentId: 'payment', status: 'processing', padding },
});
const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(answer)) };

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(200, headers).end(answer));
});
server.listen(Number(process.argv[2]), '127.0.0.1', () => process.stdout.write('trivial server is ready\n'));
process.on('SIGTERM', () => process.exit(0));
