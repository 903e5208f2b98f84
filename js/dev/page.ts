/**
 * The table in a plain page, for looking at it: `?scene=middle&dark&kernel=keep&language=es`.
 *
 * kernel: "answer_later" (the default) plays by the rule, "keep" never answers, "throw" cannot be reached.
 */
import widget from "../src/index";
import { FakeKernel, TWELVE, table } from "./kernel";
import { scenes } from "./scenes";

const asked = new URLSearchParams(location.search);
const scene = scenes[asked.get("scene") ?? ""] ?? table(TWELVE);
const kernel = new FakeKernel({ ...scene, language: asked.get("language") });
const sending = asked.get("kernel");
kernel.sending = sending === "keep" || sending === "throw" ? sending : "answer_later";
if (asked.has("dark")) document.body.dataset.jpThemeLight = "false";
const el = document.querySelector<HTMLElement>("#table");
if (el !== null) widget.render({ model: kernel, el });
Object.assign(window, { kernel });
