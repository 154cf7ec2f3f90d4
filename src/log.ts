import { pino, stdSerializers } from 'pino';
import { redact } from './auth/secrets.ts';

/** One JSON object a line, on standard error; secrets never get there, whoever put them into a message. */
export const createLog = (level: string) =>
  pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: stdSerializers.errWithCause },
    },
    { write: (line: string) => process.stderr.write(redact(line)) },
  );
