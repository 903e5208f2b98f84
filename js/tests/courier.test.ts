// @vitest-environment node
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeKernel, TWELVE, table } from "../dev/kernel";
import type { Request, State } from "../src/contract";
import { BUSY_AFTER, Courier, HELLO_WITHIN, randomText, SILENT_AFTER } from "../src/courier";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function sent(state: State = table(TWELVE)) {
  const kernel = new FakeKernel(state);
  const changed = vi.fn<(givenUp: Request | null) => void>();
  const courier = new Courier(kernel, changed);
  kernel.on("change:state", () => kernel.state && courier.receive(kernel.state));
  return { kernel, changed, courier };
}

describe("a request", () => {
  it("is due until it is answered", () => {
    const { kernel, courier } = sent();
    expect(courier.ask({ kind: "undo" }, 7)).toBe("sent");
    expect(courier.pending).toMatchObject({ kind: "undo", revision: 7 });
    kernel.answer();
    expect(courier.pending).toBeNull();
    expect(courier.trouble).toBeNull();
  });

  it("is the only one on its way", () => {
    const { kernel, courier } = sent();
    courier.ask({ kind: "undo" }, 0);
    expect(courier.ask({ kind: "redo" }, 0)).toBe("waiting");
    expect(kernel.requests.map((request) => request.kind)).toEqual(["undo"]);
  });

  it("differs from every other, the same wish included", () => {
    const { kernel, courier } = sent();
    for (let i = 0; i < 5; i++) {
      courier.ask({ kind: "undo" }, 0);
      kernel.answer();
    }
    expect(new Set(kernel.requests.map((request) => request.id)).size).toBe(5);
  });

  it("is not answered by an answer to another view", () => {
    const { kernel, courier } = sent();
    courier.ask({ kind: "undo" }, 0);
    kernel.publish({ answer: { id: "another view's", error: null } });
    kernel.publish({ answer: { id: null, error: null } });
    expect(courier.pending).not.toBeNull();
  });

  it("may be answered before the sending returns", () => {
    const { kernel, courier } = sent();
    kernel.sending = "answer";
    expect(courier.ask({ kind: "move", mover: 0, target: 1 }, 0)).toBe("sent");
    expect(courier.pending).toBeNull();
    vi.advanceTimersByTime(SILENT_AFTER);
    expect(courier.trouble).toBeNull();
  });

  it("hands back the answer's error with the request it is about", () => {
    const { kernel, courier } = sent();
    courier.ask({ kind: "undo" }, 0);
    const error = { code: "nothing_to_undo", params: {}, text: "no" };
    kernel.listeners.clear();
    kernel.publish({ answer: { id: kernel.requests[0]?.id ?? "", error } });
    expect(courier.receive(kernel.state as State)).toEqual({
      request: kernel.requests[0],
      answer: { id: kernel.requests[0]?.id, error },
    });
  });
});

describe("waiting", () => {
  it("says that the kernel is busy, then that nobody answers, and then lets the person try again", () => {
    const { courier, changed } = sent();
    courier.ask({ kind: "undo" }, 0);
    vi.advanceTimersByTime(BUSY_AFTER - 1);
    expect(courier.trouble).toBeNull();
    vi.advanceTimersByTime(1);
    expect(courier.trouble).toBe("busy");
    expect(courier.pending).not.toBeNull();
    vi.advanceTimersByTime(SILENT_AFTER - BUSY_AFTER - 1);
    expect(courier.trouble).toBe("busy");
    vi.advanceTimersByTime(1);
    expect(courier.trouble).toBe("silent");
    expect(courier.pending).toBeNull();
    expect(changed.mock.calls.map(([request]) => request?.kind)).toEqual([undefined, "undo"]);
    expect(courier.ask({ kind: "undo" }, 0)).toBe("sent");
    expect(courier.trouble).toBeNull();
  });

  it("clears when the answer comes, late or very late", () => {
    for (const delay of [BUSY_AFTER, SILENT_AFTER + 60_000]) {
      const { kernel, courier } = sent();
      courier.ask({ kind: "move", mover: 0, target: 1 }, 0);
      vi.advanceTimersByTime(delay);
      expect(courier.trouble).not.toBeNull();
      kernel.answer();
      expect(courier.trouble).toBeNull();
      expect(courier.pending).toBeNull();
    }
  });

  it("does not blame a later request for an earlier one's age", () => {
    const { kernel, courier } = sent();
    courier.ask({ kind: "move", mover: 0, target: 1 }, 0);
    vi.advanceTimersByTime(BUSY_AFTER - 100);
    kernel.answer();
    courier.ask({ kind: "undo" }, 1);
    vi.advanceTimersByTime(200);
    expect(courier.trouble).toBeNull();
  });

  it.each(["no comm channel", new Error("disposed")])("ends at once when sending throws %s", (thrown) => {
    const { kernel, courier } = sent();
    kernel.save_changes = () => {
      throw thrown;
    };
    expect(courier.ask({ kind: "undo" }, 0)).toBe("unreachable");
    expect(courier.pending).toBeNull();
    expect(courier.trouble).toBe("unreachable");
    vi.advanceTimersByTime(SILENT_AFTER);
    expect(courier.trouble).toBe("unreachable");
  });
});

describe("hello", () => {
  it("neither makes the table busy nor keeps a move waiting", () => {
    const { kernel, courier } = sent();
    courier.hello(kernel.state);
    expect(courier.pending).toBeNull();
    expect(courier.ask({ kind: "undo" }, 0)).toBe("sent");
    expect(kernel.requests.map((request) => request.kind)).toEqual(["hello", "undo"]);
  });

  it("finds out that nobody is there, until any newer state comes", () => {
    const { kernel, courier, changed } = sent();
    courier.hello(kernel.state);
    vi.advanceTimersByTime(HELLO_WITHIN - 1);
    expect(courier.noKernel).toBe(false);
    expect(courier.line).toBe("asked");
    vi.advanceTimersByTime(1);
    expect(courier.noKernel).toBe(true);
    expect(courier.line).toBe("none");
    expect(changed).toHaveBeenCalledTimes(1);
    kernel.publish({});
    expect(courier.noKernel).toBe(false);
    expect(courier.line).toBe("alive");
  });

  it("when nobody is there, ends the waiting for what was asked meanwhile, and what is asked later is not waited for", () => {
    const { kernel, courier, changed } = sent();
    courier.hello(kernel.state);
    courier.ask({ kind: "undo" }, 0);
    vi.advanceTimersByTime(HELLO_WITHIN);
    expect(changed.mock.lastCall?.[0]?.kind).toBe("undo");
    expect(courier.trouble).toBe("silent");
    expect(courier.pending).toBeNull();
    expect(courier.ask({ kind: "undo" }, 0)).toBe("unreachable");
    expect(courier.pending).toBeNull();
    kernel.answer();
    expect(courier.trouble).toBeNull();
    expect(courier.line).toBe("alive");
  });

  it("is answered by any newer state, for a move may have overtaken it", () => {
    const { kernel, courier } = sent();
    courier.hello(kernel.state);
    kernel.publish({ answer: { id: "another", error: null } });
    vi.advanceTimersByTime(HELLO_WITHIN);
    expect(courier.noKernel).toBe(false);
  });

  it("knows at once when it cannot be sent", () => {
    const { kernel, courier } = sent();
    kernel.sending = "throw";
    courier.hello(kernel.state);
    expect(courier.noKernel).toBe(true);
  });
});

it("leaves no timer behind", () => {
  const { kernel, courier, changed } = sent();
  courier.hello(kernel.state);
  courier.ask({ kind: "undo" }, 0);
  courier.stop();
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(SILENT_AFTER);
  expect(changed).not.toHaveBeenCalled();
});

it("makes random text where there is no crypto, as on plain http pages", () => {
  vi.stubGlobal("crypto", undefined);
  expect(new Set(Array.from({ length: 50 }, randomText)).size).toBe(50);
  vi.unstubAllGlobals();
});
