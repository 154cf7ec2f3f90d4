import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The responses that have waited for an earlier one of their connection. */
const responses = new WeakMap<Socket, Set<ServerResponse>>();

/**
 * Closes a response that waits for an earlier one of its connection (HTTP pipelining) if the connection closes. Node closes only the
 * response that it sends, so the others would count as in progress for ever.
 */
export function closeWithConnection({ socket }: IncomingMessage, res: ServerResponse): void {
  if (res.socket !== null) return;
  const waiting = responses.get(socket) ?? watchConnection(socket);
  waiting.add(res);
  res.once('close', () => waiting.delete(res));
}

/** One listener serves all responses, since Node warns of more than ten. */
function watchConnection(socket: Socket): Set<ServerResponse> {
  const waiting = new Set<ServerResponse>();
  responses.set(socket, waiting);
  socket.once('close', () => {
    for (const res of waiting) {
      if (res.socket !== null) continue;
      res.destroy();
      res.emit('close');
    }
  });
  return waiting;
}
