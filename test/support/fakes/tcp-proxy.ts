import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy that can stop forwarding without closing connections, like a failover or a lost route. */
export async function startSilentProxy(target: URL) {
  const pairs: [Socket, Socket][] = [];
  const server = createServer((near) => {
    const far = connect(Number(target.port || 5432), target.hostname);
    pairs.push([near, far]);
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    /** Stops forwarding on existing connections. New connections work. */
    fallSilent: () => {
      for (const [near, far] of pairs) near.unpipe(far).resume() && far.unpipe(near).resume();
    },
    close: () => {
      for (const socket of pairs.flat()) socket.destroy();
      server.close();
    },
  };
}

/** A proxy that can cut all connections, refuse new ones and lead to another server, like a server that restarts or fails over. */
export async function startInterruptibleProxy(target: URL) {
  const sockets = new Set<Socket>();
  let isRefusing = false;
  let current = target;
  const server = createServer((near) => {
    near.on('error', () => {});
    if (isRefusing) return near.destroy();
    const far = connect(Number(current.port || 5432), current.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(socket);
          near.destroy();
          far.destroy();
        });
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    refuse: () => {
      isRefusing = true;
      cut();
    },
    accept: () => {
      isRefusing = false;
    },
    /** New connections lead there. */
    leadTo: (other: URL) => {
      current = other;
    },
    close: () => {
      cut();
      server.close();
    },
  };
}
