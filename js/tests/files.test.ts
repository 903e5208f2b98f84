/** Records as files: saved from the table, and opened at it. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeKernel, RECORD, TWELVE, table } from "../dev/kernel";
import { LONGEST, NAME } from "../src/files";
import { type Opened, open } from "./opened";

/** What was handed to the browser as downloads. */
const downloads: { readonly name: string; readonly blob: Blob }[] = [];
/** What a click on a file input would open. */
let chooser: HTMLInputElement | null = null;

beforeEach(() => {
  downloads.length = 0;
  chooser = null;
  const blobs = new Map<string, Blob>();
  URL.createObjectURL = (blob) => {
    blobs.set(`blob:${blobs.size}`, blob as Blob);
    return `blob:${blobs.size - 1}`;
  };
  URL.revokeObjectURL = (address) => void blobs.delete(address);
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    downloads.push({ name: this.download, blob: blobs.get(this.href) as Blob });
  });
  vi.spyOn(HTMLInputElement.prototype, "click").mockImplementation(function (this: HTMLInputElement) {
    chooser = this;
  });
});
afterEach(() => {
  document.body.replaceChildren();
  vi.restoreAllMocks();
});

function answering(): Opened {
  const kernel = new FakeKernel(table(TWELVE));
  kernel.sending = "answer";
  return open(kernel.state, kernel);
}

async function choose(file: File): Promise<void> {
  if (chooser === null) throw new Error("no file is asked for");
  Object.defineProperty(chooser, "files", { value: [file] });
  chooser.dispatchEvent(new Event("change"));
  await vi.waitFor(() => file.text());
}

describe("saving", () => {
  it("asks Python for the record and hands it to the browser, once", async () => {
    const opened = answering();
    opened.button("Save the record").click();
    expect(opened.asked()).toMatchObject([{ kind: "record" }]);
    expect(downloads.map(({ name }) => name)).toEqual([NAME]);
    expect(await downloads[0]?.blob.text()).toBe(RECORD);
    expect(opened.said().at(-1)).toBe("The match so far is saved as match.soluna.");
    opened.kernel.publish({});
    expect(downloads).toHaveLength(1);
  });

  it("is the business of the view that asked", () => {
    const kernel = new FakeKernel(table(TWELVE));
    kernel.sending = "answer";
    const [asking, other] = [open(kernel.state, kernel), open(kernel.state, kernel)];
    asking.button("Save the record").click();
    expect(downloads).toHaveLength(1);
    expect(other.said()).toEqual([]);
  });
});

describe("opening", () => {
  it("sends the chosen file's text, and says what lies on the table then", async () => {
    const opened = answering();
    opened.button("Open a record").click();
    expect(opened.asked()).toEqual([]);
    await choose(new File([RECORD], "a.soluna"));
    expect(opened.asked()).toMatchObject([{ kind: "open", record: RECORD, revision: 0 }]);
    expect(opened.root.dataset.revision).toBe("1");
    expect(opened.said()).toEqual([
      "The match of that record lies on the table now.",
      "Sol moves first: put a stack on another with the same top or the same height.",
    ]);
  });

  it("shows why a record was refused", async () => {
    const opened = answering();
    opened.button("Open a record").click();
    await choose(new File([""], "empty.txt"));
    expect(opened.status()).toBe("That file cannot be opened. Line 1: it is empty.");
    expect(opened.root.dataset.revision).toBe("0");
  });

  it("does not even read what is too long", async () => {
    const opened = answering();
    const file = new File(["x".repeat(LONGEST + 1)], "film.txt");
    const read = vi.spyOn(file, "text");
    opened.button("Open a record").click();
    Object.defineProperty(chooser, "files", { value: [file] });
    chooser?.dispatchEvent(new Event("change"));
    expect(read).not.toHaveBeenCalled();
    expect(opened.status()).toBe("That file is too long to be the record of a match.");
    expect(opened.said()).toEqual([opened.status()]);
    expect(opened.asked()).toEqual([]);
  });

  it("asks for nothing when no file is chosen", () => {
    const opened = answering();
    opened.button("Open a record").click();
    Object.defineProperty(chooser, "files", { value: [] });
    chooser?.dispatchEvent(new Event("change"));
    expect(opened.asked()).toEqual([]);
  });
});
