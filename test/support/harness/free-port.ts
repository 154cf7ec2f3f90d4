import { once } from 'node:events';
import { createServer } from 'node:net';

// Systems assign ports from 32768 on to whoever asks for any, and to outgoing connections. Such a port could be taken before a test uses it.
const FIRST = 20_000;
const COUNT = 12_000;

/** Processes begin far from each other. */
let next = (process.pid * 101) % COUNT;

/**
 * Finds a port for what must know its port before it listens, such as a service whose base URL contains it. Everything else listens on
 * port 0.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = FIRST + next;
    next = (next + 1) % COUNT;
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port);
  try {
    await once(probe, 'listening');
  } catch {
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}
