import { toConnectionError } from './errors.ts';

/** One event of a stream, by the specification of server-sent events. */
export interface StreamEvent {
  /** The kind of event; an empty text if the stream names none. */
  name: string;
  data: string;
}

/**
 * Reads the events of a stream until it ends. Comments keep it open.
 * @throws FoyerError with the code NETWORK if the connection breaks, or TIMEOUT after a silence of so many milliseconds
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  maxSilence: number,
): AsyncGenerator<StreamEvent, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let event: StreamEvent = { name: '', data: '' };
  try {
    for (;;) {
      const { done, value } = await readChunk(reader, maxSilence);
      if (done) return;
      // A chunk can end between the two characters of a line break.
      const text = rest + decoder.decode(value, { stream: true });
      const end = text.endsWith('\r') ? text.length - 1 : text.length;
      const lines = text.slice(0, end).split(/\r\n|\r|\n/);
      rest = (lines.pop() ?? '') + text.slice(end);
      for (const line of lines) {
        if (line !== '') event = addLine(event, line);
        else if (event.data !== '') yield { ...event, data: event.data.slice(0, -1) };
        if (line === '') event = { name: '', data: '' };
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** A connection can break without a sign, so silence counts as a break. */
function readChunk(reader: ReadableStreamDefaultReader<Uint8Array>, maxSilence: number) {
  return new Promise<Awaited<ReturnType<typeof reader.read>>>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(toConnectionError('TIMEOUT', 'The stream of events is silent.', null)),
      maxSilence,
    );
    reader
      .read()
      .then(resolve, (error: unknown) =>
        reject(toConnectionError('NETWORK', 'The stream of events broke off.', error)),
      )
      .finally(() => clearTimeout(timer));
  });
}

function addLine(event: StreamEvent, line: string): StreamEvent {
  const colon = line.indexOf(':');
  const field = colon === -1 ? line : line.slice(0, colon);
  const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
  if (field === 'event') return { ...event, name: value };
  if (field === 'data') return { ...event, data: `${event.data}${value}\n` };
  return event;
}
