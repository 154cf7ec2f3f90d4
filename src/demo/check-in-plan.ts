import type { LocationSlug } from './locations.ts';

/** Times are local. Guests without `until` stay until the location closes. `unconfirmed` is a member who typed their name. */
export type PlannedVisit = { at: string; until?: string } & (
  | { member: string }
  | { unconfirmed: string }
  | { visitor: string; host: string }
  | { dayPass: number }
  | { guest: number; event: string }
);

export type PlannedRejection = { at: string } & (
  | { result: 'membership_inactive'; member: string }
  | { result: 'not_yet_valid' | 'wrong_location' | 'not_found' }
);

type CheckInDay = { visits: readonly PlannedVisit[]; rejections: readonly PlannedRejection[] };

/**
 * One day at each location. Ben is missing, because people use his account to try out check-in. `dayPass` and `guest` are
 * indexes of the day passes and tickets sold for the day.
 */
export const checkInPlan: Record<LocationSlug, CheckInDay> = {
  kreuzberg: {
    visits: [
      { at: '08:04', member: 'katarzyna@example.com' },
      { at: '08:11', member: 'lukas.brandt@example.org', until: '12:05' },
      { at: '08:32', member: 'dmitri.volkov@example.com' },
      { at: '08:47', member: 'hannah.becker@example.org' },
      { at: '08:49', member: 'mai.nguyen@example.org' },
      { at: '08:58', member: 'noah.stein@example.com', until: '10:31' },
      { at: '09:06', dayPass: 0 },
      { at: '09:12', member: 'aylin.demir@example.com', until: '17:40' },
      { at: '09:14', member: 'jonas.voss@example.com' },
      { at: '09:30', visitor: 'Ottilie Kern', host: 'aylin.demir@example.com', until: '10:45' },
      { at: '09:41', member: 'samira.rahimi@example.org' },
      { at: '10:02', member: 'giulia.ferrari@example.org', until: '15:20' },
      { at: '10:20', dayPass: 1, until: '13:05' },
      { at: '10:36', member: 'yuki.tanaka@example.com' },
      { at: '10:50', visitor: 'Tom Ashworth', host: 'yuki.tanaka@example.com' },
      { at: '11:24', unconfirmed: 'zeynep@example.org' },
      { at: '12:18', event: 'community-lunch', guest: 0, until: '13:24' },
      { at: '12:21', event: 'community-lunch', guest: 1, until: '13:30' },
      { at: '12:26', event: 'community-lunch', guest: 2, until: '13:28' },
      { at: '12:34', event: 'community-lunch', guest: 3, until: '13:30' },
      { at: '13:10', member: 'lukas.brandt@example.org', until: '18:15' },
      { at: '13:47', member: 'emre.kaya@example.com' },
      { at: '14:25', member: 'kofi.mensah@example.com', until: '17:02' },
      { at: '16:05', member: 'freya.sorensen@example.org' },
    ],
    rejections: [
      { at: '08:40', member: 'tomas.novak@example.com', result: 'membership_inactive' },
      { at: '09:21', result: 'wrong_location' },
      { at: '09:55', result: 'not_found' },
      { at: '10:08', result: 'not_yet_valid' },
    ],
  },
  alfama: {
    visits: [
      { at: '09:02', member: 'ines.carvalho@example.org' },
      { at: '09:05', member: 'joao.matos@example.com', until: '12:40' },
      { at: '09:17', member: 'tiago@example.com' },
      { at: '09:26', dayPass: 0 },
      { at: '09:33', member: 'wei.zhang@example.com', until: '10:50' },
      { at: '09:48', member: 'mariana@example.org' },
      { at: '10:12', member: 'sofia.p@example.org' },
      { at: '10:40', visitor: 'Leonor Prata', host: 'mariana@example.org', until: '11:35' },
      { at: '11:30', member: 'chidi.eze@example.com', until: '16:10' },
      { at: '14:04', member: 'joao.matos@example.com' },
      { at: '14:31', member: 'rita.v@example.org', until: '17:25' },
      { at: '16:52', event: 'house-tour', guest: 0, until: '17:45' },
      { at: '16:58', event: 'house-tour', guest: 1, until: '17:45' },
    ],
    rejections: [
      { at: '09:08', result: 'not_found' },
      { at: '09:52', member: 'mj.ortega@example.org', result: 'membership_inactive' },
    ],
  },
};

/** Members with a key, who are checked in after closing time. */
export const afterHoursMembers: Record<LocationSlug, readonly string[]> = {
  kreuzberg: ['zeynep@example.org', 'anton@example.com'],
  alfama: ['duarte.lemos@example.com'],
};
