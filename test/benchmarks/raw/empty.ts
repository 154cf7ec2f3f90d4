import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// The cost of Node itself: a response as long as that of a heartbeat, without any work.

const BODY = JSON.stringify({
  success: true,
  data: {
    acknowledged: true,
    state_version: '0123456789abcdef0123456789abcdef',
    next_heartbeat_seconds: 60,
    server_time: new Date().toISOString(),
  },
});

const server = createServer((_req, res) => {
  res.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(BODY),
  });
  res.end(BODY);
});

server.listen(0, '127.0.0.1', () => {
  process.stderr.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`);
});
