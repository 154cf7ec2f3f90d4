import type { ResourceType } from '../db/generated/enums.ts';

export const locations = [
  {
    slug: 'kreuzberg',
    name: 'Foyer Kreuzberg',
    address: 'Lausitzer Hof 7, 10999 Berlin, Germany',
    timeZone: 'Europe/Berlin',
    capacity: 140,
  },
  {
    slug: 'alfama',
    name: 'Foyer Alfama',
    address: 'Beco do Farol 3, 1100-001 Lisboa, Portugal',
    timeZone: 'Europe/Lisbon',
    capacity: 60,
  },
] as const;

export type LocationSlug = (typeof locations)[number]['slug'];

export type ResourceRow = {
  location: LocationSlug;
  slug: string;
  name: string;
  type: ResourceType;
  capacity: number;
  hourlyAmount: number;
  minutes: readonly [min: number, max: number, buffer: number, grid: number];
  amenities: string[];
  rules?: {
    minNoticeMinutes?: number;
    maxAdvanceDays?: number;
    freeCancellationHours?: number;
    noShowMinutes?: number;
    requiresApproval?: boolean;
  };
  active?: boolean;
};

// biome-ignore format: a table reads best with a few lines a row
export const resources = [
  { location: 'kreuzberg', slug: 'atelier', name: 'Atelier', type: 'room', capacity: 12,
    hourlyAmount: 3800, minutes: [60, 480, 15, 15], amenities: ['screen', 'whiteboard', 'daylight'],
    rules: { freeCancellationHours: 4 } },
  { location: 'kreuzberg', slug: 'spree', name: 'Spree', type: 'room', capacity: 4,
    hourlyAmount: 1600, minutes: [30, 240, 0, 30], amenities: ['screen', 'video-conference'] },
  { location: 'kreuzberg', slug: 'saal', name: 'Saal', type: 'room', capacity: 80,
    hourlyAmount: 9500, minutes: [120, 600, 30, 30], amenities: ['stage', 'sound-system', 'projector', 'step-free'],
    rules: { minNoticeMinutes: 2880, freeCancellationHours: 24, requiresApproval: true } },
  { location: 'kreuzberg', slug: 'phone-booth', name: 'Phone booth', type: 'room', capacity: 1,
    hourlyAmount: 600, minutes: [15, 120, 0, 15], amenities: ['soundproof'],
    rules: { maxAdvanceDays: 60, noShowMinutes: 15 } },
  { location: 'kreuzberg', slug: 'window-desk', name: 'Window desk', type: 'desk', capacity: 1,
    hourlyAmount: 350, minutes: [60, 600, 0, 60], amenities: ['daylight', 'monitor'] },
  { location: 'kreuzberg', slug: 'standing-desk', name: 'Standing desk', type: 'desk', capacity: 1,
    hourlyAmount: 400, minutes: [60, 600, 0, 60], amenities: ['monitor', 'height-adjustable'] },
  { location: 'kreuzberg', slug: 'projector', name: 'Portable projector', type: 'equipment', capacity: 1,
    hourlyAmount: 500, minutes: [60, 480, 30, 30], amenities: ['hdmi', 'usb-c'],
    rules: { minNoticeMinutes: 60 } },
  { location: 'alfama', slug: 'tejo', name: 'Tejo', type: 'room', capacity: 8,
    hourlyAmount: 2200, minutes: [30, 480, 15, 15], amenities: ['screen', 'whiteboard', 'video-conference'],
    rules: { freeCancellationHours: 2 } },
  { location: 'alfama', slug: 'miradouro', name: 'Miradouro', type: 'room', capacity: 30,
    hourlyAmount: 5400, minutes: [60, 480, 30, 30], amenities: ['terrace', 'sound-system'],
    rules: { minNoticeMinutes: 1440, freeCancellationHours: 12 } },
  { location: 'alfama', slug: 'garden-desk', name: 'Garden desk', type: 'desk', capacity: 1,
    hourlyAmount: 300, minutes: [60, 600, 0, 60], amenities: ['outdoors', 'power'] },
  { location: 'alfama', slug: 'podcast-kit', name: 'Podcast kit', type: 'equipment', capacity: 1,
    hourlyAmount: 900, minutes: [60, 480, 30, 30], amenities: ['two-microphones', 'recorder'] },
  { location: 'alfama', slug: 'darkroom', name: 'Darkroom', type: 'room', capacity: 3,
    hourlyAmount: 1800, minutes: [60, 240, 30, 30], amenities: ['enlarger', 'running-water'], active: false },
] as const satisfies readonly ResourceRow[];

export type ResourceSlug = (typeof resources)[number]['slug'];
