import { afterEach, describe, expect, it, vi } from "vitest";
import { isDark, watchTheme } from "../src/theme";

afterEach(() => {
  for (const element of [document.body, document.documentElement]) {
    for (const { name } of [...element.attributes]) element.removeAttribute(name);
  }
});

describe("the theme", () => {
  it.each([
    ["true", true, false],
    ["false", false, true],
  ])("is JupyterLab's (light: %s) even against the system's", (light, system, dark) => {
    document.body.dataset.jpThemeLight = light;
    document.body.className = dark ? "light" : "dark";
    expect(isDark(document, system)).toBe(dark);
  });

  it.each(["dark", "vscode-dark", "dark-theme some"])("is dark in a page of class %s", (name) => {
    document.body.className = name;
    expect(isDark(document, false)).toBe(true);
  });

  it("is another host's by its attribute", () => {
    document.documentElement.dataset.theme = "light";
    expect(isDark(document, true)).toBe(false);
    document.documentElement.dataset.theme = "dark";
    expect(isDark(document, false)).toBe(true);
  });

  it("is else the system's", () => {
    document.body.className = "darkroom";
    expect([isDark(document, true), isDark(document, false)]).toEqual([true, false]);
  });

  it("is followed as it changes, until stopped", async () => {
    document.body.dataset.jpThemeLight = "true";
    const changed = vi.fn();
    const stop = watchTheme(document, changed);
    document.body.dataset.jpThemeLight = "false";
    await Promise.resolve();
    expect(changed.mock.calls).toEqual([[false], [true]]);
    stop();
    document.body.dataset.jpThemeLight = "true";
    await Promise.resolve();
    expect(changed).toHaveBeenCalledTimes(2);
  });
});
