import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// What Node itself costs: it answers as much as a heartbeat does, and looks at nothing.

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
