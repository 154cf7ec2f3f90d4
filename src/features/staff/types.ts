import type { StaffRole } from '../../auth/viewer.ts';
import type { User } from '../../db/generated/client.ts';
import type { STAFF_STATUSES } from './rows.ts';

/** `invited` until the person has set a password for the first time. */
export type StaffStatus = (typeof STAFF_STATUSES)[number];

/** A person who works in the panel. */
export interface StaffUser
  extends Pick<User, 'id' | 'name' | 'email' | 'createdAt' | 'lastActiveAt' | 'disabledAt'> {
  role: StaffRole;
  status: StaffStatus;
  /** When the open invitation or password reset expires. Null if there is none. */
  linkExpiresAt: Date | null;
  /** How many API tokens of this person are valid. */
  activeTokenCount: number;
}

/** A one-time link to set a password, and its user. The plain text exists only here and in the email. */
export interface IssuedStaffLink {
  staffUser: StaffUser;
  url: string;
}

/** The details of a link that are shown before it is used. */
export interface StaffLink {
  purpose: 'invitation' | 'password_reset';
  name: string;
  email: string;
  expiresAt: Date;
}
