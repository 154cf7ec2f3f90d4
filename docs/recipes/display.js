// Shows the events of a location. Open display.html#https://foyer.example.org,foyerd_… with a device token.
const [foyer, token] = location.hash.slice(1).split(',');

/** Asks again after as many seconds as the response says. Without a network, the screen keeps what it shows. */
async function repeat(path, use, seconds = 30, etag = '""') {
  try {
    const headers = { 'If-None-Match': etag }; // answered with 304 while nothing has changed
    const response = await fetch(`${foyer}/displays/${path}/${token}`, { headers });
    if (response.ok) seconds = use((await response.json()).data);
    etag = response.headers.get('ETag') ?? etag;
    const delay = response.headers.get('Retry-After') ?? seconds;
    return setTimeout(repeat, delay * 1_000, path, use, seconds, etag);
  } catch {
    return setTimeout(repeat, seconds * 1_000, path, use, seconds, etag);
  }
}

function show({ device, events, announcements, poll_after_seconds }) {
  const options = { weekday: 'long', hour: 'numeric', minute: '2-digit' };
  options.timeZone = device.location.time_zone;
  const format = (time) => new Date(time).toLocaleString('en', options);
  const lines = events.map(({ starts_at, title }) => `${format(starts_at)}: ${title}`);
  document.querySelector('h1').textContent = device.location.name;
  document
    .querySelector('main')
    .replaceChildren(
      ...[...announcements.map(({ title }) => title), ...lines].map((textContent) =>
        Object.assign(document.createElement('p'), { textContent }),
      ),
    );
  return poll_after_seconds;
}

repeat('state', show);
repeat('heartbeat', ({ next_heartbeat_seconds }) => next_heartbeat_seconds);
