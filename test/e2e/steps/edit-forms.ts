import assert from 'node:assert/strict';
import type { Locator, Page, Request } from 'playwright-core';
import { readDocument } from '../documents.ts';
import { EDIT_FORMS, type EditForm, openForm } from '../forms/edit-forms.ts';
import { createEditedRows, type EditedRows } from '../forms/fixtures.ts';
import { OWNER } from '../service.ts';
import type { Stage } from '../stage.ts';

// Two people open the same form. Nothing is overwritten silently, and either change can be kept. These steps need none
// before them: npm run test:e2e -- "edit forms"

let rows: EditedRows;

async function prepare({ page, panel, signIn, here }: Stage) {
  rows = await createEditedRows(here);
  await page.goto(panel());
  const heading = page.getByRole('heading', { name: /^(Sign in|Bookings)$/ });
  if ((await heading.textContent()) === 'Sign in') await signIn(page, OWNER);
  await page.getByRole('heading', { name: 'Bookings', exact: true }).waitFor();
}

async function editTwice({ page, panel, shot }: Stage, form: EditForm) {
  const { first, values, second = first, secondValue = values[1] } = form;
  const address = panel(form.path(rows));
  const colleague = await page.context().newPage();
  const open = (tab: Page) => openForm(tab, address, form);

  // One saves a field, and then the other another one, or the same if there is only one: the second sees the first change.
  let mine = await open(page);
  const theirs = await open(colleague);
  await first.set(theirs, values[0]);
  await saveImpatiently(colleague, theirs, form);
  await second.set(mine, secondValue);
  await save(mine, form);
  const conflict = await findConflict(mine, form);
  await shot(page, `edit-twice-${form.mutation}`);
  await conflict.getByRole('button', { name: 'Save my changes' }).click();
  await waitUntilSaved(mine, form);
  mine = await open(page);
  assert.equal(await second.read(mine), secondValue);
  if (form.second) assert.equal(await first.read(mine), values[0], 'the first change is lost');

  // Both save the same field, and the second person keeps what the first has saved.
  const again = await open(colleague);
  await first.set(again, values[2]);
  await save(again, form);
  await waitUntilSaved(again, form);
  await first.set(mine, values[1] === secondValue ? values[0] : values[1]);
  await save(mine, form);
  await (await findConflict(mine, form, values[2]))
    .getByRole('button', { name: 'Discard my changes' })
    .click();
  assert.equal(await first.read(await open(page)), values[2], 'the discarded change was saved');
  await colleague.close();
}

const save = (form: Locator, { save }: EditForm) =>
  form.getByRole('button', { name: save, exact: true }).click();

const waitUntilSaved = (form: Locator, { saved }: EditForm) =>
  saved ? form.page().getByText(saved).first().waitFor() : form.waitFor({ state: 'detached' });

/** Clicks four times within a moment. The form is sent once. */
async function saveImpatiently(page: Page, locator: Locator, form: EditForm) {
  const { mutation, save } = form;
  let sent = 0;
  const count = (request: Request) => {
    if (request.method() === 'POST' && request.url().endsWith('/graphql'))
      sent += readDocument(request).includes(`mutation ${mutation}(`) ? 1 : 0;
  };
  page.on('request', count);
  const button = locator.getByRole('button', { name: save, exact: true });
  await button.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await button.boundingBox()) ?? assert.fail('no button');
  for (let click = 0; click < 4; click += 1) {
    await page.mouse.click(x + width / 2, y + height / 2);
    await page.waitForTimeout(30);
  }
  await waitUntilSaved(locator, form);
  page.off('request', count);
  assert.equal(sent, 1, `${mutation} was sent ${sent} times`);
}

/** Says what was changed, by whom and when. */
async function findConflict(form: Locator, { values, shown }: EditForm, value = values[0]) {
  const conflict = form
    .getByRole('alert')
    .filter({ hasText: 'Someone else changed this while you were editing' });
  await conflict
    .getByText(/^ada, .*\d\d:\d\d/)
    .first()
    .waitFor();
  await conflict
    .getByRole('row')
    .filter({ hasText: shown ?? value })
    .first()
    .waitFor();
  return conflict;
}

export const everyForm: [string, (stage: Stage) => Promise<void>][] = [
  ['edit forms: prepare a row for each', prepare],
  ...EDIT_FORMS.map((form): [string, (stage: Stage) => Promise<void>] => [
    `edit forms: ${form.mutation} opened twice`,
    (stage) => editTwice(stage, form),
  ]),
];
