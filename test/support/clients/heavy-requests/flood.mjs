import { Agent, request } from 'node:http';

// Repeats a request on many connections at once, as one caller, until the parent sends a message. Says when the first was
// answered, and at the end how often each status was the answer.

const { url, method, path, headers, body, connections } = JSON.parse(process.argv[2]);
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const statuses = {};
let count = 0;
let isEnding = false;
let hasBegun = false;

/** A text with {n} differs in each request, so that nothing is remembered. */
const send = () =>
  new Promise((resolve) => {
    count += 1;
    const content = body?.replaceAll('{n}', String(count));
    const options = { method, agent, headers: { ...headers } };
    if (content) options.headers['content-length'] = Buffer.byteLength(content);
    const sent = request(url + path.replaceAll('{n}', String(count)), options, (response) => {
      response.resume().once('close', () => resolve(response.statusCode));
    });
    sent.once('error', ({ code }) => resolve(code));
    sent.end(content);
  });

async function repeat() {
  while (!isEnding) {
    const status = await send();
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (!hasBegun) process.send('begun');
    hasBegun = true;
  }
}

process.once('message', () => {
  isEnding = true;
  process.send(statuses);
  process.exit();
});
for (let lane = 0; lane < connections; lane += 1) void repeat();
