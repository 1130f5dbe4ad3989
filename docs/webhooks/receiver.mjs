// Receives alerts of Govern. Needs Node 18 or newer and nothing else:
//   WEBHOOK_SECRET=whsec_… PORT=8787 node docs/webhooks/receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const secret = process.env.WEBHOOK_SECRET;
const port = Number(process.env.PORT ?? 8787);
const seen = new Set();

/** Whether Govern signed these very bytes, not more than 5 minutes ago. */
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
    // The bytes as they came: printed again, they might differ.
    const body = Buffer.concat(chunks);
    if (!isGenuine(request.headers, body)) {
      response.writeHead(401).end();
      return;
    }
    // The same delivery may come twice; it counts once.
    const delivery = request.headers['x-service-delivery-id'];
    if (!seen.has(delivery)) {
      seen.add(delivery);
      const { alert } = JSON.parse(body);
      console.log(`${alert.severity}: ${alert.message}`);
    }
    response.writeHead(204).end();
  });
}).listen(port, '127.0.0.1', () => console.log(`listening on port ${port}`));
