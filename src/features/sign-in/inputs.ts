import { z } from 'zod';
import { boundedText, emailAddress, uuid } from '../../core/validation.ts';

export const signInInput = z.object({
  email: boundedText(254).meta({ description: 'The email address of the account' }),
  password: z.string().min(1).max(1000).meta({ description: 'The password of the account' }),
});

export const requestSignInLinkInput = z.object({
  email: z
    .string()
    .trim()
    .pipe(emailAddress)
    .meta({ description: 'The confirmed address of a member' }),
});

export const redeemSignInLinkInput = z.object({
  secret: z.string().trim().meta({ description: 'The part of the link after the #' }),
});

export const changePasswordInput = z.object({
  current: z.string().meta({ description: 'The current password' }),
  next: z.string().meta({ description: 'The new password' }),
});

export const endSessionInput = z.object({
  id: uuid.meta({ description: 'The id of one of your sessions' }),
});
