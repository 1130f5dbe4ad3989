// Receives alerts from Govern. Requires Node 18 or newer and no packages:
//   WEBHOOK_SECRET=whsec_… PORT=8787 node docs/webhooks/receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const secret = process.env.WEBHOOK_SECRET;
const port = Number(process.env.PORT ?? 8787);
const seen = new Set();

/** Returns whether the signature is valid and the timestamp is at most 5 minutes off. */
function isGenuine(headers, body) {
  const timestamp = headers['x-service-timestamp'] ?? '';
  const age = Math.abs(Date.now() - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || age > 5 * 60 * 1000) return false;
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
  const given = /^sha256=([0-9a-f]{64})$/.exec(headers['x-service-signature'] ?? '');
  return given !== null && timingSafeEqual(expected, Buffer.from(given[1], 'hex'));
}

createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    // Verify the bytes as received. Parsing and serializing them again could change them.
    const body = Buffer.concat(chunks);
    if (!isGenuine(request.headers, body)) {
      response.writeHead(401).end();
      return;
    }
    // A delivery may arrive more than once; process it once.
    const delivery = request.headers['x-service-delivery-id'];
    if (!seen.has(delivery)) {
      seen.add(delivery);
      const { alert } = JSON.parse(body);
      console.log(`${alert.severity}: ${alert.message}`);
    }
    response.writeHead(204).end();
  });
}).listen(port, '127.0.0.1', () => console.log(`listening on port ${port}`));
