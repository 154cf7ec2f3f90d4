import { DomainError } from '../../errors.ts';

/** The file as a whole is broken: nothing of it is imported. */
export const unreadable = (line: number, message: string) =>
  new DomainError('BAD_REQUEST', `Line ${line}: ${message}`, { reason: 'UNREADABLE_FILE', line });
