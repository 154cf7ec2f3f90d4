// Shows the events of a location. Open display.html#https://foyer.example.org,foyerd_… with a device token.
import { createTransport } from '@foyer/client';
import { followDisplay } from '@foyer/client/device';

const [url, token] = location.hash.slice(1).split(',');

function show(title, lines) {
  document.querySelector('h1').textContent = title;
  const toParagraph = (textContent) => Object.assign(document.createElement('p'), { textContent });
  document.querySelector('main').replaceChildren(...lines.map(toParagraph));
}

function showState({ device, events, announcements }) {
  const options = { weekday: 'long', hour: 'numeric', minute: '2-digit' };
  options.timeZone = device.location.time_zone;
  const format = (time) => new Date(time).toLocaleString('en', options);
  const lines = events.map(({ starts_at, title }) => `${format(starts_at)}: ${title}`);
  show(device.location.name, [...announcements.map(({ title }) => title), ...lines]);
}

try {
  // Polls with the ETag and sends heartbeats, as often as the service asks. Offline, the screen keeps what it shows.
  const device = createTransport({ url, token });
  for await (const { snapshot } of followDisplay(device, { wakeUp: window }))
    if (snapshot) showState(snapshot.state);
} catch (error) {
  show('Events', [error.message]); // the token was revoked
}
