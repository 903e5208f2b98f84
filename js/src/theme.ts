/**
 * Whether the page around the table is dark: the notebook's theme, else another host's, else the system's.
 *
 * Asked in script rather than in the style sheet: some hosts put widgets in a shadow tree, where no selector sees the body.
 */

const HINTS = ["class", "data-jp-theme-light", "data-theme", "data-color-mode", "data-vscode-theme-kind", "style"];

export function isDark(page: Document, system: boolean): boolean {
  const jupyter = page.querySelector("[data-jp-theme-light]")?.getAttribute("data-jp-theme-light");
  if (jupyter === "true" || jupyter === "false") return jupyter === "false";
  for (const element of [page.body, page.documentElement]) {
    const named = [element.dataset.theme, element.dataset.colorMode, element.dataset.vscodeThemeKind].join(" ");
    const words = `${element.getAttribute("class") ?? ""} ${named} ${element.style.colorScheme}`.toLowerCase();
    if (/(^|[\s-])dark($|[\s-])/.test(words)) return true;
    if (/(^|[\s-])light($|[\s-])/.test(words)) return false;
  }
  return system;
}

/** Calls back at once and with each change; returns what stops it. */
export function watchTheme(page: Document, changed: (dark: boolean) => void): () => void {
  const view = page.defaultView;
  const media = view?.matchMedia?.("(prefers-color-scheme: dark)");
  let last: boolean | null = null;
  const look = () => {
    const dark = isDark(page, media?.matches ?? false);
    if (dark !== last) changed(dark);
    last = dark;
  };
  const observer = new MutationObserver(look);
  for (const element of [page.body, page.documentElement]) {
    observer.observe(element, { attributes: true, attributeFilter: HINTS });
  }
  media?.addEventListener("change", look);
  look();
  return () => {
    observer.disconnect();
    media?.removeEventListener("change", look);
  };
}
