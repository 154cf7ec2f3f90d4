import { z } from 'zod';
import { boundedText, singleLine } from '../../core/validation.ts';
import {
  MAX_BODY_CHARACTERS,
  MAX_SUBJECT_CHARACTERS,
} from '../../integrations/email/template-text.ts';

const key = boundedText(100).meta({ description: 'The key of the template, from emailTemplates' });
const subject = singleLine(MAX_SUBJECT_CHARACTERS);
const body = boundedText(MAX_BODY_CHARACTERS);

const SUBJECT = 'One line with variables, such as {{time}}';
const BODY =
  'Plain text with variables and sections. Blank lines separate paragraphs. The greeting is added to it.';

export const emailTemplateKeyInput = z.object({ key });

export const updateEmailTemplateInput = z.object({
  key,
  subject: subject.optional().meta({ description: SUBJECT }),
  body: body.optional().meta({ description: BODY }),
  isEnabled: z.boolean().optional().meta({ description: 'Whether such emails are sent' }),
});

export const previewEmailTemplateArgs = z.object({
  key,
  subject: subject.meta({ description: SUBJECT }),
  body: body.meta({ description: BODY }),
});
