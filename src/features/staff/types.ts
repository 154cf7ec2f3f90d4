import type { StaffRole } from '../../auth/viewer.ts';

/** `invited` until the person has set a password for the first time. */
export type StaffStatus = 'active' | 'invited' | 'disabled';

/** A person who works in the panel. */
export interface StaffUser {
  id: string;
  name: string;
  email: string;
  role: StaffRole;
  status: StaffStatus;
  createdAt: Date;
  /** To the minute. */
  lastActiveAt: Date | null;
  disabledAt: Date | null;
  /** When the open invitation or password reset ends; null where there is none. */
  linkExpiresAt: Date | null;
  /** API tokens of this person that still work. */
  activeTokenCount: number;
}

/** A one-time link to set a password, and whom it is for. The plain text exists only here and in the mail. */
export interface IssuedStaffLink {
  staffUser: StaffUser;
  url: string;
}

/** What the holder of a link is shown before it is used. */
export interface StaffLink {
  purpose: 'invitation' | 'password_reset';
  name: string;
  email: string;
  expiresAt: Date;
}
