import { z } from 'zod';
import { line, personName } from '../../validation.ts';

// What both doors take.

export const visitor = z.object({ name: personName });
export const code = line(100);
export const handle = line(100);
/** Blanks count: it is the client's word, and none of ours. */
export const scanId = z.string().min(1).max(100);
