import { asApiError } from '../api/errors.ts';
import type { Lookup } from './queries.ts';
import type { Message } from './results.ts';

// What stands in a guest's way, in words that say how to go on.

export const TOO_SHORT = 'Type at least three letters of your name, or scan your code.';
export const ADDRESS_OR_CODE = 'Type your whole e-mail address or your code.';
export const HOST_TOO_SHORT = 'Type at least three letters of the name of your host.';
export const HOST_NEEDS_ADDRESS = 'Type the whole e-mail address of your host.';
export const NO_CONNECTION = 'There is no connection just now. Try again, or go to the front desk.';
export const NAMES_NEED_THE_NETWORK =
  'There is no connection just now, and names cannot be looked up without it. Scan or type your code: it is noted and sent later. Or go to the front desk.';

export const HOSTS_NEED_THE_NETWORK =
  'There is no connection just now, and your host cannot be looked up without it. Try again in a moment, or go to the front desk.';

/** Once the network is back, none of them is true any more. */
export const ofNetwork = (problem: string | null) =>
  [NO_CONNECTION, NAMES_NEED_THE_NETWORK, HOSTS_NEED_THE_NETWORK].some((one) => one === problem);

export const noted = (isKept: boolean, leaving: boolean): Message =>
  isKept
    ? {
        tone: 'notice',
        title: leaving ? 'Noted. Goodbye!' : 'Noted. Please go in',
        text: leaving
          ? 'There is no connection just now. This is sent as soon as there is one.'
          : 'There is no connection just now, so your code is checked later. If you are not sure that it is good, see the front desk.',
      }
    : {
        tone: 'stop',
        title: 'No connection',
        text: 'This could not be noted. Please go to the front desk.',
      };

export function nobody({ tooMany, namesOff }: Lookup, query: string): string {
  if (tooMany)
    return `Too many people match “${query}”. Type more of the name, or your whole e-mail address.`;
  if (namesOff)
    return 'Names are not looked up here. Type your whole e-mail address, or scan your code.';
  return `Nobody was found by “${query}”. Check the spelling, type your whole e-mail address, or ask at the front desk.`;
}

export function noHost({ tooMany, namesOff }: Lookup, query: string): string {
  if (namesOff) return `Names are not looked up here. ${HOST_NEEDS_ADDRESS}`;
  if (tooMany)
    return `Too many people match “${query}”. Type more of your host’s name, or their whole e-mail address.`;
  return `Nobody was found by “${query}”. Check the spelling of your host’s name, or type their whole e-mail address. Or ask at the front desk.`;
}

export function problemOf(thrown: unknown): string {
  const { code, details, message } = asApiError(thrown);
  // Where the day's lookups are used up, the service says what goes on without them: nobody waits until tomorrow.
  if (code !== 'RATE_LIMITED' || details.reason === 'LOOKUPS_USED_UP') return message;
  const seconds = details.retryAfterSeconds;
  return `That was a lot at once. Please try again ${seconds ? `in ${waitWords(seconds)}` : 'in a moment'}, or go to the front desk: they let you in.`;
}

function waitWords(seconds: number): string {
  if (seconds <= 90) return `${Math.ceil(seconds)} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
