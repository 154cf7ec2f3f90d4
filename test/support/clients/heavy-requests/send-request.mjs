import { connect } from 'node:net';
import { parentPort } from 'node:worker_threads';

// Sends requests from a thread of its own, so that only the work of the service blocks the event loop of the test.

const STREAM_MS = 50;

parentPort.on('message', ({ port, bytes }) => {
  const started = performance.now();
  const socket = connect({ port, host: '127.0.0.1' });
  let head = '';
  let size = 0;
  socket.on('data', (chunk) => {
    if (size === 0) {
      head = chunk.toString('latin1', 0, 2_000);
      // A subscription does not end by itself.
      if (/^content-type: text\/event-stream/im.test(head))
        setTimeout(() => socket.destroy(), STREAM_MS);
    }
    size += chunk.length;
  });
  socket.on('error', () => {});
  socket.on('close', () =>
    parentPort.postMessage({
      status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0),
      head,
      size,
      ms: performance.now() - started,
    }),
  );
  socket.write(bytes);
});
