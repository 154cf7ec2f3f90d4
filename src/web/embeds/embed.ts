import type { WidgetMessage } from './messages.ts';

// The script that websites include: it shows widgets of this service in frames that are as high as their content. A website
// writes <script src="https://house.example/embed.js" data-foyer="events"></script>, or an element such as <foyer-events>.

/** The widgets: their path, the title of the frame, and the parameters that an element can have. */
const WIDGETS = {
  events: { toPath: () => 'embed/events', title: 'Events', parameters: ['tag'] },
  event: {
    toPath: ({ slug }) => `embed/events/${encodeURIComponent(slug ?? '')}`,
    title: 'Tickets',
    parameters: [],
  },
  rooms: { toPath: () => 'embed/rooms', title: 'Free rooms', parameters: ['location'] },
} satisfies Record<
  string,
  { toPath: (data: DOMStringMap) => string; title: string; parameters: string[] }
>;

const MIN_HEIGHT = 120;
const MAX_HEIGHT = 20_000;

type WidgetName = keyof typeof WIDGETS;

const isWidgetName = (name: string | undefined): name is WidgetName =>
  name !== undefined && Object.hasOwn(WIDGETS, name);

/** Null in a module. */
const script =
  document.currentScript instanceof HTMLScriptElement
    ? document.currentScript
    : document.querySelector<HTMLScriptElement>('script[src$="/embed.js"]');
const service = new URL('.', script?.src ?? document.baseURI);

function createFrame(name: WidgetName, data: DOMStringMap): HTMLIFrameElement {
  const { toPath, title, parameters } = WIDGETS[name];
  const address = new URL(toPath(data), service);
  for (const parameter of [...parameters, 'theme']) {
    const value = data[parameter];
    if (value) address.searchParams.set(parameter, value);
  }
  const frame = document.createElement('iframe');
  frame.src = address.href;
  frame.title = data.title ?? title;
  frame.loading = 'lazy';
  // The service checks which website shows the widget, also if this page sends no referrer otherwise.
  frame.referrerPolicy = 'strict-origin';
  frame.style.cssText = `display:block;width:100%;border:0;color-scheme:auto;height:${MIN_HEIGHT * 4}px`;
  window.addEventListener('message', ({ origin, source, data: message }: MessageEvent<unknown>) => {
    if (origin === service.origin && source === frame.contentWindow) receive(frame, message);
  });
  return frame;
}

function receive(frame: HTMLIFrameElement, data: unknown): void {
  if (typeof data !== 'object' || data === null) return;
  const message = data as Partial<WidgetMessage>;
  if (message.type === 'foyer:height' && Number.isFinite(message.height))
    frame.style.height = `${Math.min(Math.max(message.height ?? 0, MIN_HEIGHT), MAX_HEIGHT)}px`;
  if (message.type === 'foyer:page' && frame.getBoundingClientRect().top < 0)
    frame.scrollIntoView();
}

const readAttributes = (element: Element): DOMStringMap =>
  Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value]));

for (const name of Object.keys(WIDGETS).filter(isWidgetName)) {
  const tag = `foyer-${name}`;
  if (customElements.get(tag)) continue;
  customElements.define(
    tag,
    class extends HTMLElement {
      connectedCallback() {
        if (this.childElementCount > 0) return;
        this.style.display = 'block';
        this.append(createFrame(name, { ...readAttributes(this), ...this.dataset }));
      }
    },
  );
}

const name = script?.dataset.foyer;
if (script && isWidgetName(name)) {
  const element = document.createElement(`foyer-${name}`);
  Object.assign(element.dataset, script.dataset);
  script.after(element);
}
