// A booking form for your own website. The API key stays in this process:
// FOYER=https://foyer.example.org TOKEN=foyer_… node booking-form.mjs
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { createClient, formatMoney, isFoyerError } from '@foyer/client';
import { availability, createBooking, previewBooking } from '@foyer/client/operations';

const { FOYER, TOKEN, PORT = '8080', MINUTES = '60' } = process.env;
const foyer = createClient({ url: FOYER, token: TOKEN, retries: 2 });

const escapeHtml = (value) =>
  String(value).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt()};`);
const toTime = (localStart) => localStart.slice(0, 16).replace('T', ' ');
const toOption = (resourceId, { startsAt, endsAt, localStart, price }) => {
  const label = toTime(localStart) + (price ? `, ${formatMoney(price)}` : '');
  return `<option value="${escapeHtml([resourceId, startsAt, endsAt, localStart])}">${escapeHtml(label)}</option>`;
};
const toPage = (content) => `<!doctype html><html lang="en"><title>Book a desk</title>${content}`;
const toForm = (action, fields, button) =>
  `<form method="post" action="${action}">${fields}<button>${button}</button></form>`;
const toHidden = (fields) =>
  Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
    .join('');

/** The first page: who books, and which slot. */
async function choose() {
  const to = new Date(Date.now() + 86_400_000).toISOString();
  const wanted = { type: 'DESK', to, minutes: Number(MINUTES) };
  const { availability: desks } = await foyer.query(availability, wanted);
  const groups = desks.map(({ resource, slots }) => {
    const options = slots.map((slot) => toOption(resource.id, slot)).join('');
    return `<optgroup label="${escapeHtml(resource.name)}">${options}</optgroup>`;
  });
  const who = `<input name="name" required placeholder="Name"><input name="email" type="email" required placeholder="Email">`;
  return toForm(
    'preview',
    `${who}<select name="slot" required>${groups.join('')}</select>`,
    'Next',
  );
}

const toInput = ({ slot, name, email }) => {
  const [resourceId, startsAt, endsAt] = slot.split(',');
  return { resourceId, startsAt, endsAt, guest: { name, email } };
};

const toStart = ({ slot }) => toTime(slot.split(',')[3] ?? '');

/** Why a slot cannot be booked, with free ones to choose instead. */
function toProblem(fields, message, alternatives = []) {
  const { resourceId } = toInput(fields);
  const options = alternatives.map((slot) => toOption(resourceId, slot)).join('');
  const who = toHidden({ name: fields.name, email: fields.email });
  const form = toForm('preview', `${who}<select name="slot">${options}</select>`, 'Next');
  return `<p role="alert">${escapeHtml(message)}</p>${options ? form : ''}<a href="/">All desks</a>`;
}

/** The second page: the price and the rules. Nothing is booked yet. */
async function preview(fields) {
  const { previewBooking: result } = await foyer.query(previewBooking, { input: toInput(fields) });
  const { allowed, price, reasons, alternatives } = result;
  if (!allowed)
    return toProblem(fields, reasons.map(({ message }) => message).join(' '), alternatives);
  // If the browser sends this form twice, the key makes Foyer book once.
  const form = toForm('book', toHidden({ ...fields, key: randomUUID() }), 'Book');
  return `<p>${escapeHtml(toStart(fields))}: ${formatMoney(price)}</p>${form}`;
}

/** The third page. Someone else can have booked the slot since the preview. */
async function book({ key, ...fields }) {
  const input = toInput(fields);
  const { createBooking: created } = await foyer.mutate(
    createBooking,
    { input },
    { idempotencyKey: key },
  );
  const { resource, price } = created.booking;
  return `<p>Booked: ${escapeHtml(resource.name)}, ${escapeHtml(toStart(fields))}, ${formatMoney(price)}</p>`;
}

/** Shows why Foyer rejected a request. */
function explain(fields, error) {
  if (!isFoyerError(error) || error.reason === null) return 'Please try again in a minute.';
  if (!fields.slot) return `<p role="alert">${escapeHtml(error.message)}</p>`;
  return toProblem(fields, error.message, error.details.alternatives);
}

const PAGES = { 'GET /': choose, 'POST /preview': preview, 'POST /book': book };
createServer(async (request, response) => {
  const page = PAGES[`${request.method} ${request.url}`];
  if (!page) return response.writeHead(404).end();
  const body = await text(request).catch(() => null); // null: the browser hung up
  if (body === null) return;
  const fields = Object.fromEntries(new URLSearchParams(body));
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.end(toPage(await page(fields).catch((error) => explain(fields, error))));
}).listen(Number(PORT), () => console.log(`listening on ${PORT}`));
