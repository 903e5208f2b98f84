/** Small helpers that make and change elements, touching the page only where something differs. */

export type Attributes = { readonly [name: string]: string | number | boolean | null | undefined };

const SVG = "http://www.w3.org/2000/svg";

/** An SVG element with attributes and children. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Node[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, tag);
  set(element, attributes);
  element.append(...children);
  return element;
}

/** An HTML element with attributes and children; text is always a text node. */
export function html<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  set(element, attributes);
  element.append(...children);
  return element;
}

/** Sets attributes that differ; null, undefined and false take them away, true sets them empty. */
export function set(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) {
      if (element.hasAttribute(name)) element.removeAttribute(name);
    } else {
      const text = value === true ? "" : String(value);
      if (element.getAttribute(name) !== text) element.setAttribute(name, text);
    }
  }
}

/** Shows text, and hides the element where there is none. */
export function say(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
  set(element, { hidden: text === "" });
}

/**
 * Puts children into the given order by moving as few as possible, and never `pinned`: a moved element would lose its
 * focus and cut its transition short.
 */
export function order(parent: Element, wanted: readonly Element[], pinned: Element | null = null): void {
  const there = Array.from(parent.children);
  if (there.length === wanted.length && wanted.every((element, index) => there[index] === element)) return;
  const pin = pinned === null ? -1 : wanted.indexOf(pinned);
  if (pinned === null || pin < 0 || pinned.parentNode !== parent) {
    wanted.forEach((element, index) => {
      const now = parent.children[index];
      if (now !== element) parent.insertBefore(element, now ?? null);
    });
    return;
  }
  for (const element of wanted.slice(0, pin)) parent.insertBefore(element, pinned);
  for (const element of wanted.slice(pin + 1)) parent.appendChild(element);
}

/** Writes a number for an attribute: two decimals are finer than any screen. */
export function n(value: number): string {
  return String(Math.round(value * 100) / 100);
}
