/** Records as files: chosen by the person, and saved where the browser saves. */

/** Longer texts are no record of a match, and are not even read. */
export const LONGEST = 1_000_000;
export const NAME = "match.soluna";

/** Lets the person choose a file; gives its text, or null where it is too long. Nothing happens if none is chosen. */
export function chooseFile(then: (text: string | null) => void): void {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = ".soluna,.txt,text/plain";
  input.addEventListener("change", async () => {
    const [file] = input.files ?? [];
    if (file !== undefined) then(file.size > LONGEST ? null : await file.text());
  });
  input.click();
}

/** Hands a text to the browser as a download. */
export function saveFile(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // Not at once: a browser may begin to read only after this.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
