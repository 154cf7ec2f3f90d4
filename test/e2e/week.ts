import { findChromium, launch } from './chromium.ts';
import { startTestService } from './service.ts';
import { createStage } from './stage.ts';
import * as monday from './week/monday.ts';
import { Person } from './week/person.ts';
import * as sales from './week/sales.ts';
import * as tuesday from './week/tuesday.ts';

// Lives the first week of a new space in the browser, from an empty installation, and counts what each step takes:
// `npm run test:week`. The seconds are an estimate for a person, by actions and typed characters.

const PHONE = { width: 390, height: 844 };

const chromium = findChromium();
if (chromium === undefined) {
  console.log('skipped: Chromium is not on the PATH');
  process.exit(0);
}

const here = await startTestService('');
const browser = await launch(chromium);
let failed = false;
try {
  const stage = await createStage(browser, here);
  const owner = new Person(stage.page);
  const visitor = new Person(await stage.newPage({ viewport: PHONE }));
  await stage.page.goto(stage.panel());
  await stage.signIn(stage.page);

  const run = async (name: string, person: Person, step: () => Promise<void>) => {
    await step().catch(async (error) => {
      await person.page.screenshot({ path: `${stage.shots}/failed-week.png` });
      throw new Error(`failed: ${name}`, { cause: error });
    });
    const { actions, seconds } = person.take();
    console.log(`${name}: ${actions} actions, ${seconds} s`);
    await stage.shot(person.page, `week-${name.toLowerCase().replaceAll(/\W+/g, '-')}`);
  };

  await run('Location', owner, () => monday.addLocation(owner));
  await run('Opening hours', owner, () => monday.setOpeningHours(owner));
  await run('4 rooms', owner, () => monday.addRooms(owner));
  await run('60 desks', owner, () => monday.addDesks(owner));
  await run('3 plans', owner, () => monday.addPlans(owner));
  await run('Colleague', owner, () => monday.inviteColleague(owner));
  await run('Import of 45 members with plans', owner, () => tuesday.importMembers(owner));
  await run('Plan change', owner, () => tuesday.changePlan(owner));
  await run('New member', owner, () => tuesday.addMember(owner));
  await run('Booking', owner, () => tuesday.bookRoom(owner));
  await run('Move to another room', owner, () => tuesday.moveToAnotherRoom(owner));
  await run('Request approved', owner, () => tuesday.approveRequest(owner, here));
  await run('Event with tickets', owner, () => sales.publishEvent(owner));
  await run('Reservation by a visitor', visitor, () => sales.reserveTickets(visitor, here.url));
  await run('Day pass on sale', owner, () => sales.addDayPass(owner));
  // The result must not depend on the hour of the run.
  await here.prisma.openingHours.deleteMany();
  await owner.open('Front desk');
  owner.take();
  await run('Day pass at the front desk', owner, () => sales.sellDayPass(owner));
  await run('Ticket at the front desk', owner, () => sales.sellTicket(owner));
  await stage.page.keyboard.press('Escape');
  await run('Booking paid', owner, () => sales.markBookingPaid(owner));
  await run('Daily closing', owner, () => sales.closeDay(owner));
} catch (error) {
  failed = true;
  console.error(error);
} finally {
  await browser.close();
  await here.remove();
}
process.exit(failed ? 1 : 0);
