import { formatLocalDate, formatLocalTime } from '../../core/time/format.ts';
import { toApiError } from '../api/errors.ts';
import { toGivenName } from '../components/text.ts';
import type { CheckInResult } from '../gql/graphql.ts';
import type { CheckIn, MemberLookup } from './queries.ts';

/** Sets the color and icon of a message: go in, read this, or stop. They only repeat what the text says. */
type MessageTone = 'good' | 'notice' | 'stop';

export interface KioskMessage {
  tone: MessageTone;
  title: string;
  /** What happened and what to do next. */
  text: string;
}

interface ResultMessageInput {
  checkIn: CheckIn;
  leaving: boolean;
  /** Whether the guest visits a member. The subject of the check-in is then the host. */
  visiting: boolean;
  timeZone: string;
}

const ASK_FRONT_DESK = 'Please ask at the front desk.';

/** Explains the result of a check-in or check-out to the guest. */
export const toResultMessage = (input: ResultMessageInput): KioskMessage =>
  RESULT_MESSAGES[input.checkIn.result](input);

const RESULT_MESSAGES: Record<CheckInResult, (input: ResultMessageInput) => KioskMessage> = {
  ADMITTED: ({ checkIn, visiting }) => ({
    tone: 'good',
    title: formatGreeting('Welcome', checkIn),
    text: visiting ? formatVisit(checkIn) : `${formatSubject(checkIn)}Come on in.`,
  }),
  ALREADY_IN: ({ checkIn, timeZone }) => ({
    tone: 'notice',
    title: checkIn.label
      ? `${checkIn.label}, you’re already checked in`
      : 'You’re already checked in',
    text: `${formatCheckedInSince(checkIn, timeZone)}Come on in. Wasn’t that you? ${ASK_FRONT_DESK}`,
  }),
  CHECKED_OUT: ({ checkIn, leaving }) =>
    leaving
      ? {
          tone: 'good',
          title: formatGreeting('Goodbye', checkIn),
          text: 'You’re checked out. See you soon.',
        }
      : {
          tone: 'notice',
          title: 'This ticket was already used',
          text: `${formatSubject(checkIn)}Its holder has checked in and out. The front desk can let you back in.`,
        },
  NOT_FOUND: ({ checkIn, leaving }) =>
    leaving
      ? {
          tone: 'notice',
          title: 'You’re not checked in',
          text: checkIn.label
            ? formatGreeting('Goodbye', checkIn)
            : 'If you entered a code, check it for typos. Otherwise, goodbye!',
        }
      : {
          tone: 'stop',
          title: 'Code not found',
          text: `Check the code and try again, or use your name. ${ASK_FRONT_DESK}`,
        },
  UNPAID: ({ checkIn }) => ({
    tone: 'stop',
    title: 'Payment required',
    text: `${formatSubject(checkIn)}Pay with the link in your email or at the front desk, then try again.`,
  }),
  CANCELLED: ({ checkIn }) => ({
    tone: 'stop',
    title: 'This was cancelled',
    text: `${formatSubject(checkIn)}It’s no longer valid. ${ASK_FRONT_DESK}`,
  }),
  NOT_YET_VALID: ({ checkIn }) => ({
    tone: 'notice',
    title: 'You’re early',
    text: `${formatSubject(checkIn)}${formatValidFrom(checkIn)}`,
  }),
  EXPIRED: ({ checkIn }) => ({
    tone: 'stop',
    title: checkIn.subject ? 'This has expired' : 'That took too long',
    // Without a subject, the handle of a lookup match has expired, after two minutes.
    text: checkIn.subject
      ? `${formatSubject(checkIn)}It’s no longer valid. ${ASK_FRONT_DESK}`
      : 'Enter your name again, or ask at the front desk.',
  }),
  WRONG_LOCATION: ({ checkIn }) => ({
    tone: 'stop',
    title: 'This is for another location',
    text: `${formatSubject(checkIn)}Check the address in your email. If you’re in the right place, ask at the front desk.`,
  }),
  MEMBERSHIP_INACTIVE: ({ checkIn }) => ({
    tone: 'stop',
    title: checkIn.label
      ? `${checkIn.label}, your membership is not active`
      : 'Membership not active',
    text: 'You need one that covers today. The front desk can help you, or sell you a day pass.',
  }),
  CAPACITY_FULL: () => ({
    tone: 'stop',
    title: 'We’re full right now',
    text: 'Please wait a moment and try again, or ask at the front desk.',
  }),
  AMBIGUOUS: () => ({
    tone: 'notice',
    title: 'This code is for several people',
    text: 'Use the code on your own ticket, which you can open from your email. Or ask at the front desk.',
  }),
};

/** Labels are masked: a greeting with an initial, such as "Welcome, Ana S.!", reads like a mistake. */
function formatGreeting(word: string, { label }: CheckIn): string {
  const name = label === null ? null : toGivenName(label);
  return name === null ? `${word}!` : `${word}, ${name}!`;
}

function formatVisit({ subject, unconfirmed }: CheckIn): string {
  const host = subject?.title ?? 'Your host';
  // A host gets one email a day about a visitor whom nobody has confirmed.
  return unconfirmed
    ? `${host} gets an email, and the front desk sees your name. Please take a seat.`
    : `${host} gets an email that you’re here. Please take a seat.`;
}

function formatValidFrom({ subject }: CheckIn): string {
  if (subject?.type === 'TICKET') return 'You can check in from one hour before it starts.';
  if (subject?.type === 'DAY_PASS') return 'It’s valid on its date. Please come back then.';
  return `It’s not valid yet. ${ASK_FRONT_DESK}`;
}

const formatSubject = ({ subject }: CheckIn) => (subject?.title ? `${subject.title}. ` : '');

function formatCheckedInSince({ checkedInAt }: CheckIn, timeZone: string): string {
  if (checkedInAt === null) return '';
  const isToday = formatLocalDate(checkedInAt, timeZone) === formatLocalDate(new Date(), timeZone);
  const time = formatLocalTime(checkedInAt, timeZone);
  return `Checked in at ${isToday ? time : `${time} on ${formatLocalDate(checkedInAt, timeZone)}`}. `;
}

/** For a kiosk that is not paired, at a location that leaves lookups to paired kiosks. */
export const PAIRING_NEEDED =
  'This kiosk only takes codes, because it isn’t paired. Enter or scan your code, or ask at the front desk. Staff can pair it with “Pair this kiosk” below.';
/** A kiosk that is not paired ends only visits that it began itself. */
export const CHECK_OUT_BY_NAME_UNAVAILABLE: KioskMessage = {
  tone: 'notice',
  title: 'Check out with your code',
  text: 'You didn’t check in by name at this kiosk, so it can’t check you out by name. Without a code, just go: you’ll be checked out when we close.',
};
export const NAME_TOO_SHORT = 'Enter at least three letters of your name, or scan your code.';
export const EMAIL_OR_CODE_REQUIRED = 'Enter your full email address or your code.';
export const HOST_NAME_TOO_SHORT = 'Enter at least three letters of your host’s name.';
export const HOST_EMAIL_REQUIRED = 'Enter your host’s full email address.';
export const NO_CONNECTION = 'No connection right now. Try again, or go to the front desk.';
export const LOOKUP_OFFLINE =
  'No connection right now, so we can’t look up names. Scan or enter your code and it will be sent later, or go to the front desk.';
export const HOST_LOOKUP_OFFLINE =
  'No connection right now, so we can’t look up your host. Try again in a moment, or go to the front desk.';

/** These problems disappear once the network is back. */
export const isNetworkProblem = (problem: string | null) =>
  problem !== null && [NO_CONNECTION, LOOKUP_OFFLINE, HOST_LOOKUP_OFFLINE].includes(problem);

/** Explains what happens to a scan that was made offline. */
export function toQueuedMessage(isSaved: boolean, leaving: boolean): KioskMessage {
  if (!isSaved) {
    return {
      tone: 'stop',
      title: 'No connection',
      text: 'Your scan couldn’t be saved. Please go to the front desk.',
    };
  }
  return {
    tone: 'notice',
    title: leaving ? 'Saved. Goodbye!' : 'Saved. Please go in',
    text: leaving
      ? 'There’s no connection right now. You’ll be checked out as soon as it’s back.'
      : 'There’s no connection right now, so your code will be checked later. If you’re not sure it’s valid, go to the front desk.',
  };
}

export function formatNoMemberFound({ tooMany, namesOff }: MemberLookup, query: string): string {
  if (tooMany)
    return `Too many people match “${query}”. Enter more of your name, or your full email address.`;
  if (namesOff)
    return 'You can’t check in by name here. Enter your full email address, or scan your code.';
  return `No one found for “${query}”. Check the spelling, enter your full email address, or ask at the front desk.`;
}

export function formatNoHostFound({ tooMany, namesOff }: MemberLookup, query: string): string {
  if (namesOff) return `You can’t look up people by name here. ${HOST_EMAIL_REQUIRED}`;
  if (tooMany)
    return `Too many people match “${query}”. Enter more of your host’s name, or their full email address.`;
  return `No one found for “${query}”. Check the spelling, enter your host’s full email address, or ask at the front desk.`;
}

export function toErrorText(error: unknown): string {
  const { code, details, message } = toApiError(error);
  // When the day's lookups are used up, waiting does not help. The service's message explains what to do instead.
  if (code !== 'RATE_LIMITED' || details.reason === 'LOOKUPS_USED_UP') return message;
  const seconds = details.retryAfterSeconds;
  return `Too many attempts. Please try again ${seconds ? `in ${formatWait(seconds)}` : 'in a moment'}, or go to the front desk.`;
}

function formatWait(seconds: number): string {
  if (seconds <= 90) return `${Math.ceil(seconds)} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
