import { z } from 'zod';
import { line } from '../../validation.ts';

// What both doors take.

/** What mail programs would make a link of. */
const LINK = /[/@\\]|www\.|[\p{L}\p{N}]\.\p{L}{2,}/iu;

export const visitor = z.object({
  name: line(80).refine(
    (name) => !LINK.test(name),
    'must be a name: no addresses, and a blank after every dot',
  ),
});
export const code = line(100);
export const handle = line(100);
/** Blanks count: it is the client's word, and none of ours. */
export const scanId = z.string().min(1).max(100);
