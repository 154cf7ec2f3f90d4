// Receives webhooks: SECRET=whsec_… node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

const { SECRET, PORT = '8080' } = process.env;
if (!SECRET) throw new Error('Set SECRET to the signing secret of the webhook.');
const key = Buffer.from(SECRET.replace('whsec_', ''), 'base64');
const MAX_AGE_SECONDS = 300;

// Store both in your database, in the transaction that applies the message.
const received = new Set();
const positions = new Map();

function isFromFoyer(headers, body) {
  const {
    'webhook-id': id,
    'webhook-timestamp': sentAt,
    'webhook-signature': signatures,
  } = headers;
  if (!id || !signatures || !(Math.abs(Date.now() / 1_000 - sentAt) <= MAX_AGE_SECONDS))
    return false;
  const expected = createHmac('sha256', key).update(`${id}.${sentAt}.${body}`).digest();
  // There are two signatures after the secret was rotated.
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace('v1,', ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** Stores what arrived, and returns what became of it. */
function receive(id, { type, data: { change } }) {
  if (received.has(id)) return `repeated ${id}`;
  received.add(id);
  if (!change) return `received ${type}`; // a test message
  // Messages can overtake each other, so an older state must not replace a newer one.
  const { subject_id: subject, position } = change;
  if (position <= (positions.get(subject) ?? 0)) return `outdated ${type} ${subject} ${position}`;
  positions.set(subject, position);
  return `applied ${type} ${subject} ${position}`;
}

createServer(async (request, response) => {
  const body = await text(request).catch(() => null); // null: the sender hung up
  if (body === null) return;
  if (!isFromFoyer(request.headers, body)) return response.writeHead(401).end();
  const line = receive(request.headers['webhook-id'], JSON.parse(body));
  response.writeHead(204).end(); // Foyer waits for ten seconds, so slow work comes afterwards
  console.log(line);
}).listen(Number(PORT), () => console.log(`listening on ${PORT}`));
