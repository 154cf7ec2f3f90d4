import { toApiError } from '../api/errors.ts';
import { formatLocalDate, formatLocalTime } from '../components/format-local-time.ts';
import type { CheckInResult } from '../gql/graphql.ts';
import type { CheckIn, MemberLookup } from './queries.ts';

/** Go, look here, stop: the colour only repeats what the words say. */
type MessageTone = 'good' | 'notice' | 'stop';

export interface KioskMessage {
  tone: MessageTone;
  title: string;
  /** What came of it, and what to do next. */
  text: string;
}

interface ResultMessageInput {
  checkIn: CheckIn;
  leaving: boolean;
  /** They came to see somebody: what is known is of the host. */
  visiting: boolean;
  timeZone: string;
}

const ASK_FRONT_DESK = 'Please ask at the front desk.';

export const toResultMessage = (answered: ResultMessageInput): KioskMessage =>
  RESULT_MESSAGES[answered.checkIn.result](answered);

const RESULT_MESSAGES: Record<CheckInResult, (answered: ResultMessageInput) => KioskMessage> = {
  ADMITTED: ({ checkIn, visiting }) => ({
    tone: 'good',
    title: checkIn.label ? `Welcome, ${checkIn.label}!` : 'Welcome!',
    text:
      visiting && checkIn.subject?.title
        ? `${checkIn.subject.title} is told that you are here. Please take a seat.`
        : `${formatSubject(checkIn)}Please go right in.`,
  }),
  ALREADY_IN: ({ checkIn, timeZone }) => ({
    tone: 'notice',
    title: checkIn.label ? `${checkIn.label}, you are in already` : 'You are in already',
    text: `${formatCheckedInSince(checkIn, timeZone)}Just go in. Was that not you? ${ASK_FRONT_DESK}`,
  }),
  CHECKED_OUT: ({ checkIn, leaving }) =>
    leaving
      ? {
          tone: 'good',
          title: checkIn.label ? `Goodbye, ${checkIn.label}!` : 'Goodbye!',
          text: 'You are checked out. See you soon.',
        }
      : {
          tone: 'notice',
          title: 'This ticket was used',
          text: `${formatSubject(checkIn)}Its holder came in and left again. The front desk can let you in once more.`,
        },
  NOT_FOUND: ({ checkIn, leaving }) =>
    leaving
      ? {
          tone: 'notice',
          title: 'You were not checked in',
          text: checkIn.label
            ? `${checkIn.label}, there is nothing to end. You may simply go.`
            : 'There is nothing to end, or the code is mistyped. You may simply go.',
        }
      : {
          tone: 'stop',
          title: 'We do not know this code',
          text: `Look at it once more and try again, or use your name. ${ASK_FRONT_DESK}`,
        },
  UNPAID: ({ checkIn }) => ({
    tone: 'stop',
    title: 'This is not paid yet',
    text: `${formatSubject(checkIn)}Pay by the link in your mail, or at the front desk, and try again.`,
  }),
  CANCELLED: ({ checkIn }) => ({
    tone: 'stop',
    title: 'This was cancelled',
    text: `${formatSubject(checkIn)}It lets nobody in any more. ${ASK_FRONT_DESK}`,
  }),
  NOT_YET_VALID: ({ checkIn }) => ({
    tone: 'notice',
    title: 'You are early',
    text: `${formatSubject(checkIn)}${formatValidFrom(checkIn)}`,
  }),
  EXPIRED: ({ checkIn }) => ({
    tone: 'stop',
    title: 'This is over',
    // A name that was found waits two minutes; what has a title of its own was good on another day.
    text: checkIn.subject
      ? `${formatSubject(checkIn)}It is not good any more. ${ASK_FRONT_DESK}`
      : 'That took a while. Type your name again, or ask at the front desk.',
  }),
  WRONG_LOCATION: ({ checkIn }) => ({
    tone: 'stop',
    title: 'This is for another house',
    text: `${formatSubject(checkIn)}Look at the address in your mail. Show it at the desk if this is the right house.`,
  }),
  MEMBERSHIP_INACTIVE: ({ checkIn }) => ({
    tone: 'stop',
    title: checkIn.label
      ? `${checkIn.label}, your membership is not active`
      : 'The membership is not active',
    text: 'It does not cover today. The front desk can sort it out, or sell you a day pass.',
  }),
  CAPACITY_FULL: () => ({
    tone: 'stop',
    title: 'The house is full',
    text: 'As many people are in as it holds. Please wait a little and try again, or ask at the front desk.',
  }),
  AMBIGUOUS: () => ({
    tone: 'notice',
    title: 'This code stands for several people',
    text: 'Use the code on your own ticket: the link in your mail shows it. Or ask at the front desk.',
  }),
};

function formatValidFrom({ subject }: CheckIn): string {
  if (subject?.type === 'TICKET') return 'You can come in from one hour before it begins.';
  if (subject?.type === 'DAY_PASS') return 'It is good on its day: please come back then.';
  return `It is not good yet. ${ASK_FRONT_DESK}`;
}

const formatSubject = ({ subject }: CheckIn) => (subject?.title ? `${subject.title}. ` : '');

function formatCheckedInSince({ checkedInAt }: CheckIn, timeZone: string): string {
  if (checkedInAt === null) return '';
  const isToday = formatLocalDate(checkedInAt, timeZone) === formatLocalDate(new Date(), timeZone);
  const time = formatLocalTime(checkedInAt, timeZone);
  return `Since ${isToday ? time : `${formatLocalDate(checkedInAt, timeZone)}, ${time}`}. `;
}

// What stands in a guest's way, in words that say how to go on.

export const NAME_TOO_SHORT = 'Type at least three letters of your name, or scan your code.';
export const EMAIL_OR_CODE_REQUIRED = 'Type your whole e-mail address or your code.';
export const HOST_NAME_TOO_SHORT = 'Type at least three letters of the name of your host.';
export const HOST_EMAIL_REQUIRED = 'Type the whole e-mail address of your host.';
export const NO_CONNECTION = 'There is no connection just now. Try again, or go to the front desk.';
export const LOOKUP_OFFLINE =
  'There is no connection just now, and names cannot be looked up without it. Scan or type your code: it is noted and sent later. Or go to the front desk.';

export const HOST_LOOKUP_OFFLINE =
  'There is no connection just now, and your host cannot be looked up without it. Try again in a moment, or go to the front desk.';

/** Once the network is back, none of them is true any more. */
export const isNetworkProblem = (problem: string | null) =>
  [NO_CONNECTION, LOOKUP_OFFLINE, HOST_LOOKUP_OFFLINE].some((one) => one === problem);

export const toQueuedMessage = (isKept: boolean, leaving: boolean): KioskMessage =>
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

export function formatNoMemberFound({ tooMany, namesOff }: MemberLookup, query: string): string {
  if (tooMany)
    return `Too many people match “${query}”. Type more of the name, or your whole e-mail address.`;
  if (namesOff)
    return 'Names are not looked up here. Type your whole e-mail address, or scan your code.';
  return `Nobody was found by “${query}”. Check the spelling, type your whole e-mail address, or ask at the front desk.`;
}

export function formatNoHostFound({ tooMany, namesOff }: MemberLookup, query: string): string {
  if (namesOff) return `Names are not looked up here. ${HOST_EMAIL_REQUIRED}`;
  if (tooMany)
    return `Too many people match “${query}”. Type more of your host’s name, or their whole e-mail address.`;
  return `Nobody was found by “${query}”. Check the spelling of your host’s name, or type their whole e-mail address. Or ask at the front desk.`;
}

export function toErrorText(thrown: unknown): string {
  const { code, details, message } = toApiError(thrown);
  // Where the day's lookups are used up, the service says what goes on without them: nobody waits until tomorrow.
  if (code !== 'RATE_LIMITED' || details.reason === 'LOOKUPS_USED_UP') return message;
  const seconds = details.retryAfterSeconds;
  return `That was a lot at once. Please try again ${seconds ? `in ${formatWait(seconds)}` : 'in a moment'}, or go to the front desk: they let you in.`;
}

function formatWait(seconds: number): string {
  if (seconds <= 90) return `${Math.ceil(seconds)} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
