interface Explanation {
  names: RegExp;
  reason: string;
}

/** Operations that may be slow, by their names, each with the reason. */
export const EXPLANATIONS: Explanation[] = [
  {
    names: /^(Location\.|Resource\.|Member\.|Team\.)?bookings\(.*(from|to).*CREATED_AT/,
    reason:
      'A period in another order: up to 10,000 bookings of it are sorted, which takes up to 30 ms. A longer one is read in the order of booking, and takes up to a second from the end that is farther away from the period. No index serves two ranges.',
  },
  {
    names: /^changes\((from|to): 1250 days ago/,
    reason:
      'The journal is sorted by position. A period of more than 10,000 changes that begins or ends in the middle of the journal is read from the end that the order begins with. The panel limits a day on both sides.',
  },
  {
    names: /^(Location\.)?checkIns\(result: CHECKED_OUT/,
    reason:
      'Check-outs are deleted after 90 days, so the oldest of them come after all older visits of the order. There is no index of each result and each order, because each check-in would pay for it.',
  },
  {
    names: /\(q: /,
    reason:
      'A search reads every row that contains the trigrams of the text, and sorts them. Texts that many rows contain take longer as their number grows.',
  },
  {
    names: /^(Resource|Location)\.bookings\((locationId|resourceId)/,
    reason: 'The bookings of a room, filtered by its location or below it, are found and sorted.',
  },
  {
    names:
      /^(Location|DayPassType)\.dayPasses|^events\(from: 9000 days ago|^Announcement\.displays/,
    reason:
      'Up to 10,000 rows are found first and sorted, because no index has their parent or their period before the order.',
  },
  {
    names: /^(availability|free ranges) of a week/,
    reason: 'It computes the free times of 50 or 250 rooms, whatever the history.',
  },
  {
    names: /^(display silence monitor|job )/,
    reason: 'It runs in the background, and its work depends on the devices and the traffic.',
  },
];
