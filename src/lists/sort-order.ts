import { z } from 'zod';
import { isInstant } from '../core/pagination.ts';
import { isCalendarDate } from '../core/time/calendar-date.ts';
import { uuid } from '../core/validation.ts';
import { DomainError } from '../errors.ts';

/** A column that a list can be sorted by, in both directions. It needs an index together with the id, and no nulls. */
export interface SortKey {
  column: string;
  type: 'timestamptz' | 'text' | 'date' | 'int' | 'bigint';
  /** Such as "the start". For descriptions. */
  label: string;
}

/** A key and a direction, such as `STARTS_AT_DESC`. */
export type SortOrder<Key extends string = string> = `${Key}_ASC` | `${Key}_DESC`;

interface SortableList {
  name: string;
  sortKeys: Record<string, SortKey>;
  defaultOrder: string;
}

export interface ParsedOrder {
  name: string;
  keyName: string;
  key: SortKey;
  isDescending: boolean;
}

/** Finds the order with this name, or the default order. @throws BAD_REQUEST for any other name. */
export function parseOrder(list: SortableList, name: string | null | undefined): ParsedOrder {
  const order = name ?? list.defaultOrder;
  const [, keyName = '', direction] = /^(.*)_(ASC|DESC)$/.exec(order) ?? [];
  const key = list.sortKeys[keyName];
  if (key === undefined) {
    throw new DomainError(
      'BAD_REQUEST',
      `This list can be sorted by ${Object.keys(list.sortKeys).join(', ')}, each followed by _ASC or _DESC.`,
      { reason: 'INVALID_INPUT', fields: ['orderBy'] },
    );
  }
  return { name: order, keyName, key, isDescending: direction === 'DESC' };
}

/** The sort key and the id of a row, and the list and the order that the cursor belongs to. */
const positionSchema = z.tuple([z.string(), uuid, z.string()]);

export const encodePosition = (
  list: SortableList,
  { name }: ParsedOrder,
  [key, id]: [key: string, id: string],
): string => Buffer.from(JSON.stringify([key, id, `${list.name} ${name}`])).toString('base64url');

const IS_KEY: Record<SortKey['type'], (key: string) => boolean> = {
  timestamptz: isInstant,
  text: () => true,
  date: isCalendarDate,
  int: (key) => /^-?\d{1,9}$/.test(key),
  bigint: (key) => /^\d{1,18}$/.test(key),
};

/**
 * Parses the cursor in this argument.
 * @throws BAD_REQUEST if it is unreadable or belongs to another list or order.
 */
export function parsePosition(
  list: SortableList,
  { name, key: { type } }: ParsedOrder,
  argument: 'after' | 'before' | 'cursor',
  cursor: string,
): [key: string, id: string] {
  try {
    const json = Buffer.from(cursor, 'base64url').toString('utf8');
    const [key, id, owner] = positionSchema.parse(JSON.parse(json));
    if (owner === `${list.name} ${name}` && IS_KEY[type](key)) return [key, id];
  } catch {
    // Unreadable and foreign cursors get the same error.
  }
  throw new DomainError(
    'BAD_REQUEST',
    `${argument} must be a cursor of this list in the same order. Omit it to start over.`,
    { reason: 'BAD_CURSOR', fields: [argument] },
  );
}
