import { DomainError } from '../errors.ts';
import { Prisma } from './generated/client.ts';

/** Turns the database's refusal of a second one into CONFLICT. */
export async function refuseTaken<T>(what: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002') {
      throw new DomainError('CONFLICT', `${what} is taken.`, { reason: 'TAKEN' });
    }
    throw error;
  }
}
