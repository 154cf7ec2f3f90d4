import { toLocalDate } from '../../core/time/time-zone.ts';
import { BROWSER_TIME_ZONE } from '../components/wall-clock.ts';

// The visits that this kiosk began by name without being paired. It can end only these, with their tokens,
// and only on the same day, since a new visit begins on the next.

interface OwnVisit {
  /** The match of the lookup: the member, or the host of a visitor. */
  label: string;
  hint: string;
  visitor: string | null;
  checkOutToken: string;
}

interface StoredVisit extends OwnVisit {
  /** The date in the browser on which the visit began. */
  day: string;
}

type OwnVisitKey = Omit<OwnVisit, 'checkOutToken'>;

const MAX_OWN_VISITS = 300;

interface StoredVisits {
  read(): StoredVisit[];
  write(visits: StoredVisit[]): void;
}

export function createOwnVisits({ read, write }: StoredVisits, getNow = () => new Date()) {
  /** Reads the visits of today and deletes those of other days. */
  function readToday(): StoredVisit[] {
    const stored = read();
    const today = toDay(getNow());
    const visits = stored.filter(({ day }) => day === today);
    if (visits.length < stored.length) write(visits);
    return visits;
  }
  const readOthers = (key: OwnVisitKey) => readToday().filter((visit) => !isSame(visit, key));

  return {
    find: (key: OwnVisitKey): OwnVisit | undefined =>
      readToday().find((visit) => isSame(visit, key)),
    save: (visit: OwnVisit) =>
      write([{ ...visit, day: toDay(getNow()) }, ...readOthers(visit)].slice(0, MAX_OWN_VISITS)),
    remove: (key: OwnVisitKey) => write(readOthers(key)),
  };
}

const toDay = (now: Date) => toLocalDate(now, BROWSER_TIME_ZONE);

const isSame = (one: OwnVisitKey, other: OwnVisitKey) =>
  one.label === other.label &&
  one.hint === other.hint &&
  one.visitor?.toLowerCase() === other.visitor?.toLowerCase();
