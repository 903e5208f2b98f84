/** The anywidget entry: one table per view, and what takes it away again. */
import type { Model } from "./contract";
import { View } from "./view";

function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  const view = new View(model, el);
  return () => view.close();
}

export default { render };
