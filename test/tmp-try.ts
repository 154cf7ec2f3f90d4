import { findChromium, launch } from './e2e/chromium.ts';
const base = process.argv[2] ?? 'http://localhost:4161';
const browser = await launch(findChromium()!);
const list = await (await fetch(`${base}/public/events?limit=10`)).json();
const slug = list.data.events.find((e: any) => e.ticket_types.length).slug;
for (const [name, viewport] of [['phone', { width: 390, height: 844 }], ['desktop', { width: 1200, height: 900 }]] as const)
  for (const js of [false, true])
    for (const scheme of js ? (['light', 'dark'] as const) : (['light'] as const)) {
      const context = await browser.newContext({ javaScriptEnabled: js, viewport, colorScheme: scheme, timezoneId: 'Europe/Berlin', locale: process.argv[3] ?? 'en-US' });
      for (const path of ['events', `events/${slug}`, 'day-passes', 'events/nothing-here']) {
        const page = await context.newPage();
        const requests: string[] = [];
        page.on('request', (r) => { if (r.url().includes('graphql')) requests.push(JSON.parse(r.postData() ?? '{}').documentId?.slice(0, 6) ?? 'q'); });
        page.on('console', (m) => console.log('  console', m.type(), m.text().slice(0, 300)));
        page.on('pageerror', (e) => console.log('  error', e.message.slice(0, 300)));
        if (js) await page.addInitScript(() => {
          (window as any).shifts = [];
          new PerformanceObserver((l) => { for (const e of l.getEntries() as any[]) (window as any).shifts.push([e.value, e.sources?.map((s: any) => s.node?.outerHTML?.slice(0, 80))]); }).observe({ type: 'layout-shift', buffered: true });
          document.addEventListener('DOMContentLoaded', () => { (window as any).first = document.querySelector('#root main h1'); });
        });
        await page.goto(`${base}/${path}`, { waitUntil: 'networkidle' });
        if (js) console.log(name, scheme, path, await page.evaluate(() => JSON.stringify({ kept: (window as any).first === document.querySelector('#root main h1'), shifts: (window as any).shifts, title: document.title, titles: document.querySelectorAll('title').length })), requests);
        await page.screenshot({ path: `/tmp/pages-shots/${path.replaceAll('/', '-')}-${name}-${js ? scheme : 'noscript'}.png` });
        await page.close();
      }
      await context.close();
    }
await browser.close();
