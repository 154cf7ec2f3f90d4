import type { CheckInResult } from '../gql/graphql.ts';
import { clockIn, dayIn } from '../ui/place-words.ts';
import type { CheckIn } from './queries.ts';

/** Go, look here, stop: the colour only repeats what the words say. */
export type Tone = 'good' | 'notice' | 'stop';

export interface Message {
  tone: Tone;
  title: string;
  /** What came of it, and what to do next. */
  text: string;
}

export interface Answered {
  checkIn: CheckIn;
  leaving: boolean;
  /** They came to see somebody: what is known is of the host. */
  visiting: boolean;
  timeZone: string;
}

const DESK = 'Please ask at the front desk.';

export const messageOf = (answered: Answered): Message =>
  MESSAGES[answered.checkIn.result](answered);

const MESSAGES: Record<CheckInResult, (answered: Answered) => Message> = {
  ADMITTED: ({ checkIn, visiting }) => ({
    tone: 'good',
    title: checkIn.label ? `Welcome, ${checkIn.label}!` : 'Welcome!',
    text:
      visiting && checkIn.subject?.title
        ? `${checkIn.subject.title} is told that you are here. Please take a seat.`
        : `${what(checkIn)}Please go right in.`,
  }),
  ALREADY_IN: ({ checkIn, timeZone }) => ({
    tone: 'notice',
    title: checkIn.label ? `${checkIn.label}, you are in already` : 'You are in already',
    text: `${since(checkIn, timeZone)}Just go in. Was that not you? ${DESK}`,
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
          text: `${what(checkIn)}Its holder came in and left again. The front desk can let you in once more.`,
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
          text: `Look at it once more and try again, or use your name. ${DESK}`,
        },
  UNPAID: ({ checkIn }) => ({
    tone: 'stop',
    title: 'This is not paid yet',
    text: `${what(checkIn)}Pay by the link in your mail, or at the front desk, and try again.`,
  }),
  CANCELLED: ({ checkIn }) => ({
    tone: 'stop',
    title: 'This was cancelled',
    text: `${what(checkIn)}It lets nobody in any more. ${DESK}`,
  }),
  NOT_YET_VALID: ({ checkIn }) => ({
    tone: 'notice',
    title: 'You are early',
    text: `${what(checkIn)}${whenGood(checkIn)}`,
  }),
  EXPIRED: ({ checkIn }) => ({
    tone: 'stop',
    title: 'This is over',
    // A name that was found waits two minutes; what has a title of its own was good on another day.
    text: checkIn.subject
      ? `${what(checkIn)}It is not good any more. ${DESK}`
      : 'That took a while. Type your name again, or ask at the front desk.',
  }),
  WRONG_LOCATION: ({ checkIn }) => ({
    tone: 'stop',
    title: 'This is for another house',
    text: `${what(checkIn)}Look at the address in your mail. Show it at the desk if this is the right house.`,
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

function whenGood({ subject }: CheckIn): string {
  if (subject?.type === 'TICKET') return 'You can come in from one hour before it begins.';
  if (subject?.type === 'DAY_PASS') return 'It is good on its day: please come back then.';
  return `It is not good yet. ${DESK}`;
}

const what = ({ subject }: CheckIn) => (subject?.title ? `${subject.title}. ` : '');

function since({ checkedInAt }: CheckIn, timeZone: string): string {
  if (checkedInAt === null) return '';
  const isToday = dayIn(checkedInAt, timeZone) === dayIn(new Date(), timeZone);
  const time = clockIn(checkedInAt, timeZone);
  return `Since ${isToday ? time : `${dayIn(checkedInAt, timeZone)}, ${time}`}. `;
}
