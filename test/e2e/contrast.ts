import type { Page } from 'playwright-core';

/** Lists texts whose contrast is below the 4.5 of WCAG (3 for large text), as "text (ratio)". */
export const faintTexts = (page: Page): Promise<string[]> => page.evaluate(LOOK);

// A string, because TypeScript compilers may insert their own helpers into functions.
const LOOK = `(() => {
  const parse = (color) => {
    const [r, g, b, a = 1] = (color.match(/[\\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
    return color.startsWith('color(srgb') ? [r * 255, g * 255, b * 255, a] : [r, g, b, a];
  };
  const over = ([r, g, b, a], below) => [r, g, b].map((c, i) => c * a + below[i] * (1 - a));
  const groundOf = (element) => {
    if (element === null) return [255, 255, 255];
    const color = parse(getComputedStyle(element).backgroundColor);
    return color[3] === 1 ? color.slice(0, 3) : over(color, groundOf(element.parentElement));
  };
  const light = (rgb) => {
    const [r, g, b] = rgb.map((c) => c / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [high, low] = [light(one), light(other)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  };
  const isInactive = (element) =>
    element.closest('[disabled], [data-disabled], [aria-disabled=true], noscript, fieldset:disabled') !== null;
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim();
    const element = walker.currentNode.parentElement;
    const box = element.getBoundingClientRect();
    if (!text || box.width < 2 || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (isInactive(element) || ['STYLE', 'SCRIPT', 'TITLE'].includes(element.tagName)) continue;
    const style = getComputedStyle(element);
    const ground = groundOf(element);
    const ratio = contrast(over(parse(style.color), ground), ground);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (isLarge ? 3 : 4.5)) found.push(text.slice(0, 40) + ' (' + ratio.toFixed(2) + ')');
  }
  return [...new Set(found)];
})()`;
