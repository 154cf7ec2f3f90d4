// Receives webhooks: SECRET=whsec_… node receiver.mjs
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { verifyWebhook } from '@foyer/client/webhooks';

const { SECRET, PORT = '8080' } = process.env;
if (!SECRET) throw new Error('Set SECRET to the signing secret of the webhook.');

// Store both in your database, in the transaction that applies the message.
const received = new Set();
const positions = new Map();

/** Stores what arrived, and returns what became of it. */
function receive(id, { type, data: { change } }) {
  if (received.has(id)) return `repeated ${id}`;
  received.add(id);
  if (!change) return `received ${type}`; // a test message
  // Messages can overtake each other, so an older state must not replace a newer one.
  const { subject_key: subject, position } = change;
  if (position <= (positions.get(subject) ?? 0)) return `outdated ${type} ${subject} ${position}`;
  positions.set(subject, position);
  return `applied ${type} ${subject} ${position}`;
}

createServer(async (request, response) => {
  const body = await text(request).catch(() => null); // null: the sender hung up
  if (body === null) return;
  const message = await verifyWebhook(body, request.headers, SECRET).catch((error) =>
    console.log(error.message),
  );
  if (!message) return response.writeHead(401).end();
  const line = receive(request.headers['webhook-id'], message);
  response.writeHead(204).end(); // Foyer waits for ten seconds, so slow work comes afterwards
  console.log(line);
}).listen(Number(PORT), () => console.log(`listening on ${PORT}`));
