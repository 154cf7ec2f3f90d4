import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

interface ReceivedMail {
  from: string;
  to: string;
  /** The decoded message. */
  source: string;
  /** The message as received, for a MIME parser. */
  raw: string;
}

/** A real SMTP server that accepts everything unless `reject` returns a code. */
export async function startSmtp(
  options: {
    port?: number;
    reject?: (recipient: string) => number | undefined;
    /** The server responds for this recipient once the promise settles. */
    hold?: (recipient: string) => Promise<void> | undefined;
  } = {},
) {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: async ({ address }, _, done) => {
      await options.hold?.(address);
      const code = options.reject?.(address);
      done(
        code ? Object.assign(new Error(`no mail for ${address}`), { responseCode: code }) : null,
      );
    },
    onData: async (stream, { envelope }, done) => {
      let source = '';
      try {
        for await (const chunk of stream) source += chunk;
      } catch {
        return; // the client disconnected
      }
      received.push({
        from: envelope.mailFrom ? envelope.mailFrom.address : '',
        to: envelope.rcptTo.map(({ address }) => address).join(),
        source: decodeQuotedPrintable(source),
        raw: source,
      });
      done();
    },
  });
  server.on('error', () => {}); // a client that disconnected
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    received,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

export type TestSmtp = Awaited<ReturnType<typeof startSmtp>>;

/** Decodes quoted-printable text. */
const decodeQuotedPrintable = (source: string) =>
  source
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
