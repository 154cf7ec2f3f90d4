import { connect, type Socket } from 'node:net';

/**
 * Opens a connection that sends one HTTP request at a time and returns the whole response as text. A small client, since it shares the
 * processors with the server.
 */
export async function openConnection(url: string) {
  const { hostname, port } = new URL(url);
  const socket: Socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  let received = '';
  let settle: { resolve(text: string): void; reject(error: Error): void } | undefined;
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    received += chunk;
    const end = received.indexOf('\r\n\r\n');
    const length = /content-length: *(\d+)/i.exec(received)?.[1];
    if (end < 0 || length === undefined || received.length < end + 4 + Number(length)) return;
    const response = received;
    received = '';
    settle?.resolve(response);
  });
  socket.on('error', (error) => settle?.reject(error));
  socket.on('close', () => settle?.reject(new Error('the connection was closed')));
  return {
    send: (text: string) =>
      new Promise<string>((resolve, reject) => {
        settle = { resolve, reject };
        socket.write(text);
      }),
    close: () => {
      settle = undefined;
      socket.destroy();
    },
  };
}
