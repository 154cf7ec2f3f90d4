import { formatLocalTime } from '../../core/time/format.ts';
import { toLocalDate } from '../../core/time/time-zone.ts';
import { toApiError } from '../api/errors.ts';
import { toGivenName } from '../components/text.ts';
import type { CheckInResult, KioskCheckInFragment, LookUpQuery } from '../gql/graphql.ts';
import { formatLocalDate } from '../language/page-dates.ts';
import { getText } from '../language/page-texts.ts';

type CheckIn = KioskCheckInFragment;
type MemberLookup = LookUpQuery['lookUpMember'];

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

/** Explains the result of a check-in or check-out to the guest. */
export const toResultMessage = (input: ResultMessageInput): KioskMessage =>
  RESULT_MESSAGES[input.checkIn.result](input);

/** Whether a rejected guest is in: the answer then contains the time of their arrival. */
export const isIn = ({ result, checkedInAt }: CheckIn): boolean =>
  result !== 'ADMITTED' && result !== 'CHECKED_OUT' && checkedInAt !== null;

const RESULT_MESSAGES: Record<CheckInResult, (input: ResultMessageInput) => KioskMessage> = {
  ADMITTED: ({ checkIn, visiting }) =>
    checkIn.unconfirmed
      ? {
          // Nobody has checked whether the person may come in.
          tone: 'notice',
          title: getText('kiosk.reported'),
          text: visiting ? formatReportedVisit(checkIn) : getText('kiosk.reportedHelp'),
        }
      : {
          tone: 'good',
          title: formatWelcome(checkIn),
          text: visiting ? formatVisit(checkIn) : withSubject(checkIn, getText('kiosk.comeIn')),
        },
  ALREADY_IN: ({ checkIn, timeZone }) => ({
    tone: 'notice',
    title: checkIn.label
      ? getText('kiosk.alreadyInNamed', { name: checkIn.label })
      : getText('kiosk.alreadyIn'),
    text: joinSentences(formatCheckedInSince(checkIn, timeZone), getText('kiosk.alreadyInHelp')),
  }),
  CHECKED_OUT: ({ checkIn, leaving }) =>
    leaving
      ? { tone: 'good', title: formatGoodbye(checkIn), text: getText('kiosk.checkedOut') }
      : {
          tone: 'notice',
          title: getText('kiosk.ticketUsed'),
          text: withSubject(checkIn, getText('kiosk.ticketUsedHelp')),
        },
  NOT_FOUND: ({ checkIn, leaving }) =>
    leaving
      ? {
          tone: 'notice',
          title: getText('kiosk.notIn'),
          text: checkIn.label ? formatGoodbye(checkIn) : getText('kiosk.notInHelp'),
        }
      : {
          tone: 'stop',
          title: getText('kiosk.codeUnknown'),
          text: getText('kiosk.codeUnknownHelp'),
        },
  UNPAID: ({ checkIn }) => ({
    tone: 'stop',
    title: getText('kiosk.unpaid'),
    text: withSubject(checkIn, getText('kiosk.unpaidHelp')),
  }),
  CANCELLED: ({ checkIn }) => ({
    tone: 'stop',
    title: getText('kiosk.cancelled'),
    text: withSubject(checkIn, getText('kiosk.noLongerValid')),
  }),
  NOT_YET_VALID: ({ checkIn }) => ({
    tone: 'notice',
    title: getText('kiosk.early'),
    text: withSubject(checkIn, formatValidFrom(checkIn)),
  }),
  EXPIRED: ({ checkIn }) => ({
    tone: 'stop',
    title: getText(checkIn.subject ? 'kiosk.expired' : 'kiosk.tookTooLong'),
    // Without a subject, the handle of a lookup match has expired, after two minutes.
    text: checkIn.subject
      ? withSubject(checkIn, getText('kiosk.noLongerValid'))
      : getText('kiosk.tookTooLongHelp'),
  }),
  WRONG_LOCATION: ({ checkIn }) => ({
    tone: 'stop',
    title: getText('kiosk.otherLocation'),
    text: withSubject(checkIn, getText('kiosk.otherLocationHelp')),
  }),
  MEMBERSHIP_INACTIVE: ({ checkIn }) => ({
    tone: 'stop',
    title: checkIn.label
      ? getText('kiosk.membershipInactiveNamed', { name: checkIn.label })
      : getText('kiosk.membershipInactive'),
    text: getText('kiosk.membershipInactiveHelp'),
  }),
  CAPACITY_FULL: () => ({
    tone: 'stop',
    title: getText('kiosk.full'),
    text: getText('kiosk.fullHelp'),
  }),
  AMBIGUOUS: () => ({
    tone: 'notice',
    title: getText('kiosk.codeOfSeveral'),
    text: getText('kiosk.codeOfSeveralHelp'),
  }),
};

// Labels are masked: a greeting with an initial, such as "Welcome, Ana S.!", reads like a mistake.

function formatWelcome({ label }: CheckIn): string {
  const name = label === null ? null : toGivenName(label);
  return name === null ? getText('kiosk.welcome') : getText('kiosk.welcomeNamed', { name });
}

function formatGoodbye({ label }: CheckIn): string {
  const name = label === null ? null : toGivenName(label);
  return name === null ? getText('kiosk.goodbye') : getText('kiosk.goodbyeNamed', { name });
}

const formatVisit = (checkIn: CheckIn) => getText('kiosk.hostEmailed', { host: toHost(checkIn) });

/** A host gets one email a day about a visitor whom nobody has confirmed. */
const formatReportedVisit = (checkIn: CheckIn) =>
  getText('kiosk.reportedVisitHelp', { host: toHost(checkIn) });

const toHost = ({ subject }: CheckIn) => subject?.title ?? getText('kiosk.yourHost');

function formatValidFrom({ subject }: CheckIn): string {
  if (subject?.type === 'TICKET') return getText('kiosk.ticketValidFrom');
  return getText(subject?.type === 'DAY_PASS' ? 'kiosk.dayPassValidFrom' : 'kiosk.notYetValid');
}

const joinSentences = (...sentences: string[]) => sentences.filter(Boolean).join(' ');

const withSubject = ({ subject }: CheckIn, text: string) =>
  joinSentences(subject?.title ? `${subject.title}.` : '', text);

function formatCheckedInSince({ checkedInAt }: CheckIn, timeZone: string): string {
  if (checkedInAt === null) return '';
  const time = formatLocalTime(checkedInAt, timeZone);
  const isToday = toLocalDate(checkedInAt, timeZone) === toLocalDate(new Date(), timeZone);
  return isToday
    ? getText('kiosk.checkedInAt', { time })
    : getText('kiosk.checkedInOn', { time, date: formatLocalDate(checkedInAt, timeZone) });
}

/** A kiosk that is not paired ends only visits that it began itself. */
export const toCheckOutUnavailable = (): KioskMessage => ({
  tone: 'notice',
  title: getText('kiosk.checkOutWithCode'),
  text: getText('kiosk.checkOutWithCodeHelp'),
});

const NETWORK_PROBLEMS = [
  'kiosk.noConnection',
  'kiosk.lookupOffline',
  'kiosk.hostLookupOffline',
] as const;

/** These problems disappear once the network is back. */
export const isNetworkProblem = (problem: string | null) =>
  NETWORK_PROBLEMS.some((key) => problem === getText(key));

/** Explains what happens to a scan that was made offline. */
export function toQueuedMessage(isSaved: boolean, leaving: boolean): KioskMessage {
  if (!isSaved)
    return { tone: 'stop', title: getText('kiosk.notSaved'), text: getText('kiosk.notSavedHelp') };
  return {
    tone: 'notice',
    title: getText(leaving ? 'kiosk.savedGoodbye' : 'kiosk.savedGoIn'),
    text: getText(leaving ? 'kiosk.savedGoodbyeHelp' : 'kiosk.savedGoInHelp'),
  };
}

export function formatNoMemberFound({ tooMany, namesOff }: MemberLookup, query: string): string {
  if (tooMany) return getText('kiosk.tooManyMatches', { query });
  return namesOff ? getText('kiosk.namesOff') : getText('kiosk.noOneFound', { query });
}

export function formatNoHostFound({ tooMany, namesOff }: MemberLookup, query: string): string {
  if (namesOff)
    return joinSentences(getText('kiosk.hostNamesOff'), getText('kiosk.hostEmailRequired'));
  return getText(tooMany ? 'kiosk.tooManyHosts' : 'kiosk.noHostFound', { query });
}

export function toErrorText(error: unknown): string {
  const { code, details, message } = toApiError(error);
  // When the day's lookups are used up, waiting does not help. The service's message explains what to do instead.
  if (code !== 'RATE_LIMITED' || details.reason === 'LOOKUPS_USED_UP') return message;
  return getText('kiosk.tooManyAttempts', { when: formatWait(details.retryAfterSeconds) });
}

function formatWait(seconds: number | undefined): string {
  if (!seconds) return getText('kiosk.inAMoment');
  if (seconds <= 90) return getText('kiosk.inSeconds', { count: Math.ceil(seconds) });
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 90
    ? getText('kiosk.inMinutes', { count: minutes })
    : getText('kiosk.inHours', { count: Math.ceil(minutes / 60) });
}
