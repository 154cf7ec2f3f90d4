export interface Explanation {
  names: RegExp;
  /** About twice the time that the reason states. What takes longer is not explained. */
  maxMs: number;
  reason: string;
}

/** Operations that may be slow, by their names, each with the reason. */
export const EXPLANATIONS: Explanation[] = [
  {
    names: /^(Location\.|Resource\.|Member\.|Team\.)?bookings\(.*(from|to).*CREATED_AT/,
    maxMs: 2_000,
    reason:
      'A period in another order: up to 10,000 bookings of it are sorted, which takes up to 30 ms. A longer one is read in the order of booking, and takes up to 1,000 ms from the end that is farther away from the period. No index serves two ranges.',
  },
  {
    names: /^changes\((from|to): 1250 days ago/,
    maxMs: 1_000,
    reason:
      'The journal is sorted by position. A period of more than 10,000 changes that begins or ends in the middle of the journal is read from the end that the order begins with, which takes up to 500 ms. The panel limits a day on both sides.',
  },
  {
    names: /\(q: /,
    maxMs: 500,
    reason:
      'A search reads every row that contains the trigrams of the text, and sorts them. Texts that many rows contain take longer as their number grows, up to 250 ms.',
  },
  {
    names: /^(Resource|Location)\.bookings\((locationId|resourceId)/,
    maxMs: 200,
    reason:
      'The bookings of a room, filtered by its location or below it, are found and sorted, which takes up to 100 ms.',
  },
  {
    names:
      /^(Location|DayPassType)\.dayPasses|^events\(from: 9000 days ago|^Announcement\.displays/,
    maxMs: 200,
    reason:
      'Up to 10,000 rows are found first and sorted, because no index has their parent or their period before the order. That takes up to 100 ms.',
  },
  {
    names: /^(availability|free ranges) of a week/,
    maxMs: 400,
    reason:
      'It computes the free times of 50 or 250 rooms, whatever the history, which takes up to 200 ms.',
  },
  {
    names: /^(display silence monitor|job )/,
    maxMs: 4_000,
    reason:
      'It runs in the background, and its work depends on the devices and the traffic. It takes up to 2,000 ms.',
  },
];
