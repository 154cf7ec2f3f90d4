// A booking form for your own website. The API key stays in this process:
// FOYER=https://foyer.example.org TOKEN=foyer_… node booking-form.mjs
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

const { FOYER, TOKEN, PORT = '8080', MINUTES = '60' } = process.env;

async function graphql(query, variables, headers = {}) {
  const response = await fetch(`${FOYER}/graphql`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await response.json();
  return { data, error: errors?.[0] };
}

const FREE = `query ($to: DateTime!, $minutes: Int!) {
  availability(type: DESK, to: $to, minutes: $minutes) {
    resource { id name } slots { startsAt endsAt localStart price { amount currency } } } }`;
const PREVIEW = `query ($input: CreateBookingInput!) {
  previewBooking(input: $input) {
    allowed price { amount currency } reasons { message }
    alternatives { startsAt endsAt localStart } } }`;
const BOOK = `mutation ($input: CreateBookingInput!) {
  createBooking(input: $input) { booking { resource { name } price { amount currency } } } }`;

const escapeHtml = (value) =>
  String(value).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt()};`);
const toMoney = ({ amount, currency }) => {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.format(amount / 10 ** format.resolvedOptions().maximumFractionDigits);
};
const toTime = (localStart) => localStart.slice(0, 16).replace('T', ' ');
const toOption = (resourceId, { startsAt, endsAt, localStart, price }) => {
  const label = toTime(localStart) + (price ? `, ${toMoney(price)}` : '');
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
  const to = new Date(Date.now() + 86_400_000);
  const { data, error } = await graphql(FREE, { to, minutes: Number(MINUTES) });
  if (error) return `<p>${escapeHtml(error.message)}</p>`;
  const groups = data.availability.map(({ resource, slots }) => {
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
  const { data, error } = await graphql(PREVIEW, { input: toInput(fields) });
  if (error) return toProblem(fields, error.message);
  const { allowed, price, reasons, alternatives } = data.previewBooking;
  if (!allowed)
    return toProblem(fields, reasons.map(({ message }) => message).join(' '), alternatives);
  // If the browser sends this form twice, the key makes Foyer book once.
  const form = toForm('book', toHidden({ ...fields, key: randomUUID() }), 'Book');
  return `<p>${escapeHtml(toStart(fields))}: ${toMoney(price)}</p>${form}`;
}

/** The third page. Someone else can have booked the slot since the preview. */
async function book({ key, ...fields }) {
  const headers = { 'Idempotency-Key': key };
  const { data, error } = await graphql(BOOK, { input: toInput(fields) }, headers);
  if (error) return toProblem(fields, error.message, error.extensions?.alternatives);
  const { resource, price } = data.createBooking.booking;
  return `<p>Booked: ${escapeHtml(resource.name)}, ${escapeHtml(toStart(fields))}, ${toMoney(price)}</p>`;
}

const PAGES = { 'GET /': choose, 'POST /preview': preview, 'POST /book': book };
createServer(async (request, response) => {
  const page = PAGES[`${request.method} ${request.url}`];
  if (!page) return response.writeHead(404).end();
  const body = await text(request).catch(() => null); // null: the browser hung up
  if (body === null) return;
  const fields = Object.fromEntries(new URLSearchParams(body));
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.end(toPage(await page(fields).catch(() => '<p>Please try again in a minute.</p>')));
}).listen(Number(PORT), () => console.log(`listening on ${PORT}`));
