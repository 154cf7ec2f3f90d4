import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

/** An HTTP proxy that connects to any host, on the given port or any. */
export async function startConnectProxy(port = 0) {
  const targets: string[] = [];
  const server = createServer((_, res) => res.writeHead(405).end());
  server.on('connect', (req, client) => {
    targets.push(req.url ?? '');
    const { hostname, port } = new URL(`http://${req.url}`);
    const target = connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.pipe(client).pipe(target);
    });
    target.on('error', () => client.end('HTTP/1.1 502 Bad gateway\r\n\r\n'));
    client.on('error', () => target.destroy());
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    targets,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
