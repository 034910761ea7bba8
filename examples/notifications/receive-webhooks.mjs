// Receives payrun's webhooks, verifies them, and prints each of them once.
//   PAYRUN_WEBHOOK_SECRET=whsec_… PORT=8800 node receive-webhooks.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

/** Throws unless payrun sent this, in the last five minutes. `body`: the text as it came, before it is parsed. */
function verify(headers, body, secret) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) < 300)) throw new Error('too old, or from the future');
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  const isSigned = signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace('v1,', ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!isSigned) throw new Error('not signed with this secret');
  return JSON.parse(body);
}

const seen = new Set();

const server = createServer(async (request, response) => {
  let body = '';
  for await (const piece of request.setEncoding('utf8')) body += piece;
  try {
    const { type, data } = verify(request.headers, body, process.env.PAYRUN_WEBHOOK_SECRET);
    const id = request.headers['webhook-id'];
    // A notification may come more than once. Store it, answer, and work on it afterwards.
    if (!seen.has(id)) console.log(`${id} ${type} ${data.name ?? ''} ${data.state}`);
    seen.add(id);
    response.writeHead(204).end();
  } catch (error) {
    response.writeHead(400).end(error.message);
  }
});
server.listen(Number(process.env.PORT ?? 8800), '127.0.0.1', () => {
  console.log(`listening on port ${server.address().port}`);
});
