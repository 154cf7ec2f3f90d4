export interface Explanation {
  names: RegExp;
  /** About twice the time that the reason states. What takes longer is not explained. */
  maxMs: number;
  reason: string;
}

/** Operations that may be slow, by their names, each with the reason. */
export const EXPLANATIONS: Explanation[] = [
  {
    names: /^Resource\.bookings\(.*(from|to).*CREATED_AT/,
    maxMs: 100,
    reason:
      'The plan reads 1,001 bookings of the period, and then the bookings of the room in the order of booking by bookings_resource_id_created_at_id_idx. It skips up to 10,000 that are not in the period, each in a page of its own, so that it takes up to 50 ms.',
  },
  {
    names: /^bookingsOutsideOpeningHours$/,
    maxMs: 200,
    reason:
      'It compares each of the 12,000 future bookings of a house with two weeks of opening hours, in turns, whatever the history, which takes up to 100 ms.',
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
